import type { Words } from "../../words/use-words.ts";

interface CardWords
  extends Record<
    | "nameless"
    | "noContact"
    | "deleted"
    | "timeline"
    | "noEvents"
    | "moreEvents"
    | "moreFields"
    | "facts"
    | "linked"
    | "moreRows"
    | "cut",
    string
  > {
  changed(field: string): string;
}

export const CARD_WORDS: Words<CardWords> = {
  en: {
    nameless: "Unnamed lead",
    noContact: "Do not contact",
    deleted: "Deleted",
    timeline: "Newest events",
    noEvents: "No events yet.",
    moreEvents: "The lead has earlier events. Ask for them.",
    moreFields: "More fields",
    facts: "Fields",
    linked: "Linked rows",
    moreRows: "There are more rows. Ask for them.",
    cut: "Not everything fits into one answer.",
    changed: (field) => `${field} changed`,
  },
  "pt-BR": {
    nameless: "Lead sem nome",
    noContact: "Não contatar",
    deleted: "Excluído",
    timeline: "Eventos mais recentes",
    noEvents: "Nenhum evento ainda.",
    moreEvents: "O lead tem eventos anteriores. Peça por eles.",
    moreFields: "Mais campos",
    facts: "Campos",
    linked: "Linhas vinculadas",
    moreRows: "Há mais linhas. Peça por elas.",
    cut: "Nem tudo cabe em uma resposta.",
    changed: (field) => `${field}: alteração`,
  },
};
