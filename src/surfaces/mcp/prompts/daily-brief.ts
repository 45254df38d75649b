import { completeFrom, numberIn, prompt } from "./prompt.ts";
import { figures, inLast, olderThan, someLeads } from "./read.ts";

export const dailyBrief = prompt({
  name: "daily_brief",
  title: "Daily brief",
  description: "New leads, status changes, and leads waiting for a first response.",
  arguments: [
    {
      name: "days",
      title: "Days",
      description: "How many days to look back, 1 to 31; default 1.",
      required: false,
      complete: completeFrom(["1", "2", "7", "14", "31"]),
    },
  ],
  task: {
    en: [
      "Write a short brief on these leads for the user named in the data.",
      "Say first how many came in and from where, then what changed status, then which leads have waited longest in the first status, with names and how long.",
      "End with at most three suggestions for what to do first, and why. Take all numbers from the data; if a list is shorter than its total, say so.",
    ].join(" "),
    "pt-BR": [
      "Escreva um resumo curto destes leads para o usuário citado nos dados.",
      "Diga primeiro quantos chegaram e de onde, depois quais mudaram de status e, por fim, quais esperam há mais tempo no primeiro status, com nomes e há quanto tempo.",
      "Termine com no máximo três sugestões do que fazer primeiro, e por quê. Use somente números dos dados; se uma lista for menor que o total, diga isso.",
    ].join(" "),
  },
  async data(asked) {
    const { call, card } = asked;
    const days = numberIn(asked, "days", 1, 1, 31);
    const first = card.project.statuses[0] ?? "new";
    const waiting = { and: [{ field: "status", op: "eq", value: first }, olderThan("created_at", 1)] };
    const [arrived, bySource, active, byStatus, waitingLeads] = await Promise.all([
      someLeads(call, { filter: inLast("created_at", days), limit: 15 }),
      figures(call, { filter: inLast("created_at", days), group_by: [{ field: "source" }] }),
      someLeads(call, {
        filter: inLast("last_activity_at", days),
        sort: [{ field: "last_activity_at", dir: "desc" }],
        limit: 10,
      }),
      figures(call, { group_by: [{ field: "status" }] }),
      someLeads(call, { filter: waiting, sort: [{ field: "created_at", dir: "asc" }], limit: 10 }),
    ]);
    return {
      days,
      new_leads: arrived,
      new_leads_by_source: bySource,
      active_leads: active,
      all_by_status: byStatus,
      waiting_in_first_status: waitingLeads,
    };
  },
});
