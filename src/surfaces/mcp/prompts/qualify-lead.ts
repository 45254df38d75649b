import { findDuplicates } from "../../../domain/leads/merge/find-duplicates.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { LEAD_ARGUMENT, leadOf } from "./one-lead.ts";
import { prompt } from "./prompt.ts";
import { figures } from "./read.ts";

export const qualifyLead = prompt({
  name: "qualify_lead",
  title: "Qualify a lead",
  description: "How promising one lead is, from its fields, its timeline and how others of its source went.",
  arguments: [LEAD_ARGUMENT],
  task: {
    en: [
      "Assess how promising this lead is: who it is, what it wants, whether it fits, how ready it is, and what is not known yet.",
      "Support each point with a field or an event of the data, and compare with how leads of the same source went.",
      "Suggest a status out of the project's statuses and the two questions that would tell most. If there are likely duplicates, name them.",
      "Nothing has been changed; the person decides whether the suggested status is set.",
    ].join(" "),
    "pt-BR": [
      "Avalie quão promissor é este lead: quem é, o que quer, se combina, quão pronto está e o que ainda não se sabe.",
      "Apoie cada ponto em um campo ou evento dos dados e compare com o destino dos leads da mesma origem.",
      "Sugira um status entre os do projeto e as duas perguntas que mais esclareceriam. Se houver prováveis duplicados, cite-os.",
      "Nada foi alterado; a pessoa decide se o status sugerido será gravado.",
    ].join(" "),
  },
  async data(asked) {
    const { service, caller } = asked.call;
    const { lead, timeline } = await leadOf(asked);
    const { id, source } = lead;
    const sameSource = {
      filter: { field: "source", op: "eq", value: source },
      group_by: [{ field: "status" }],
    };
    const [duplicates, bySource] = await Promise.all([
      perform(service, findDuplicates, caller, { id, limit: 5 }),
      typeof source === "string" ? figures(asked.call, sameSource) : undefined,
    ]);
    return {
      lead,
      timeline,
      likely_duplicates: duplicates.items.map(({ id, score, reasons }) => ({ id, score, reasons })),
      ...(bySource === undefined ? {} : { same_source_by_status: bySource }),
    };
  },
});
