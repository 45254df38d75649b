import { completeFrom, numberIn, prompt } from "./prompt.ts";
import { figures, inLast, olderThan, someLeads } from "./read.ts";

const QUIET_DAYS = 14;

export const pipelineReview = prompt({
  name: "pipeline_review",
  title: "Pipeline review",
  description: "Leads by status, new leads per week, and leads without recent activity.",
  arguments: [
    {
      name: "days",
      title: "Days",
      description: "The period under review in days, 7 to 365; default 30.",
      required: false,
      complete: completeFrom(["7", "30", "90", "180", "365"]),
    },
  ],
  task: {
    en: [
      "Review this pipeline: how leads are distributed across statuses, how the number of new leads develops week by week, which sources bring leads that advance, and where leads get stuck.",
      "Point out at most five findings, each with its figures, then the inactive leads worth a call, with names.",
      "The statuses are in the project's order. Figures count leads by their current status, not status changes: say so where it matters.",
    ].join(" "),
    "pt-BR": [
      "Analise este funil: como os leads se distribuem pelos status, como a entrada evolui semana a semana, quais origens trazem leads que avançam e onde eles param.",
      "Aponte no máximo cinco destaques, cada um com seus números, e depois os leads parados que merecem uma ligação, com nomes.",
      "Os status estão na ordem do projeto. Os números contam os leads pelo status atual, não as mudanças de status: diga isso quando for relevante.",
    ].join(" "),
  },
  async data(asked) {
    const { call } = asked;
    const days = numberIn(asked, "days", 30, 7, 365);
    const recent = inLast("created_at", days);
    const open = { field: "status_meaning", op: "eq", value: "open" };
    const quiet = { and: [open, olderThan("last_activity_at", QUIET_DAYS)] };
    const count = { op: "count" };
    const [byStatus, byWeek, bySource, quietLeads] = await Promise.all([
      figures(call, {
        group_by: [{ field: "status" }],
        metrics: [count, { op: "sum", field: "value" }, { op: "avg", field: "score" }],
      }),
      figures(call, { filter: recent, group_by: [{ field: "created_at", interval: "week" }], limit: 60 }),
      figures(call, { filter: recent, group_by: [{ field: "source" }, { field: "status" }], limit: 60 }),
      someLeads(call, { filter: quiet, sort: [{ field: "value", dir: "desc" }], limit: 15 }),
    ]);
    return {
      days,
      all_by_status: byStatus,
      new_by_week: byWeek,
      new_by_source_and_status: bySource,
      quiet_days: QUIET_DAYS,
      quiet_leads: quietLeads,
    };
  },
});
