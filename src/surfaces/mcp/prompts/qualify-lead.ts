import { findDuplicates } from "../../../domain/leads/merge/find-duplicates.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { LEAD_ARGUMENT, leadOf } from "./one-lead.ts";
import { prompt } from "./prompt.ts";
import { figures } from "./read.ts";

export const qualifyLead = prompt({
  name: "qualify_lead",
  title: "Qualify a lead",
  description:
    "How promising a lead is, based on its fields, its timeline and the outcome of leads with the same source.",
  arguments: [LEAD_ARGUMENT],
  task: {
    en: [
      "Assess how promising this lead is: who it is, what it wants, whether it fits, how ready it is to buy, and what is still unknown.",
      "Support each point with a field or event from the data, and compare with the outcome of leads with the same source.",
      "Suggest one of the project's statuses and the two most useful questions to ask. If there are likely duplicates, name them.",
      "Nothing has been changed; the user decides whether to set the suggested status.",
    ].join(" "),
    "pt-BR": [
      "Avalie quão promissor é este lead: quem é, o que quer, se tem o perfil certo, se está pronto para comprar e o que ainda não se sabe.",
      "Apoie cada ponto em um campo ou evento dos dados e compare com o resultado dos leads da mesma origem.",
      "Sugira um dos status do projeto e as duas perguntas mais úteis a fazer. Se houver prováveis duplicados, cite-os.",
      "Nada foi alterado; o usuário decide se o status sugerido será definido.",
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
