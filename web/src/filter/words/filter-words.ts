import type { CountOperator, FieldType, OperatorOf } from "../../../../src/contract/lists/operators.ts";
import type { Period, Unit } from "../../../../src/contract/lists/time.ts";
import type { Named, Words } from "../../words/use-words.ts";

/** The operators as written between a field and its value. */
export const OPS: Words<Named<OperatorOf<Exclude<FieldType, "date">>>> = {
  en: {
    eq: "is",
    neq: "is not",
    in: "is one of",
    not_in: "is not one of",
    contains: "contains",
    not_contains: "does not contain",
    starts_with: "starts with",
    ends_with: "ends with",
    domain_in: "is in the domain",
    gt: "is more than",
    gte: "is at least",
    lt: "is less than",
    lte: "is at most",
    between: "is between",
    has_any: "has any of",
    has_all: "has all of",
    has_none: "has none of",
    is_empty: "is empty",
    is_not_empty: "is not empty",
  },
  "pt-BR": {
    eq: "é",
    neq: "não é",
    in: "é um destes",
    not_in: "não é nenhum destes",
    contains: "contém",
    not_contains: "não contém",
    starts_with: "começa com",
    ends_with: "termina com",
    domain_in: "é do domínio",
    gt: "é maior que",
    gte: "é no mínimo",
    lt: "é menor que",
    lte: "é no máximo",
    between: "está entre",
    has_any: "tem algum destes",
    has_all: "tem todos estes",
    has_none: "não tem nenhum destes",
    is_empty: "está vazio",
    is_not_empty: "não está vazio",
  },
};

/** The operators of dates, which read differently. */
export const DATE_OPS: Words<Named<Exclude<OperatorOf<"date">, OperatorOf<"object">>>> = {
  en: {
    eq: "is on",
    before: "is before",
    after: "is after",
    on_or_before: "is on or before",
    on_or_after: "is on or after",
    between: "is between",
    in_last: "is in the last",
    not_in_last: "is not in the last",
    in_next: "is in the next",
    older_than: "is longer ago than",
    in_period: "is",
  },
  "pt-BR": {
    eq: "é em",
    before: "é antes de",
    after: "é depois de",
    on_or_before: "é até",
    on_or_after: "é a partir de",
    between: "está entre",
    in_last: "está no período dos últimos",
    not_in_last: "está fora do período dos últimos",
    in_next: "está no período dos próximos",
    older_than: "é há mais de",
    in_period: "é",
  },
};

/** The fields of an event. */
export const EVENT_FIELDS: Words<Readonly<Record<string, string>>> = {
  en: {
    title: "Title",
    source: "Source",
    type: "Type",
    occurred_at: "Occurred",
    recorded_at: "Recorded",
    seconds_after_created: "Seconds after the lead was created",
    "actor.type": "Actor type",
    "actor.label": "Actor",
  },
  "pt-BR": {
    title: "Título",
    source: "Origem",
    type: "Tipo",
    occurred_at: "Ocorrido em",
    recorded_at: "Registrado em",
    seconds_after_created: "Segundos depois da criação do lead",
    "actor.type": "Tipo de autor",
    "actor.label": "Autor",
  },
};

/** The fields that every row of a dataset has besides its columns. */
export const ROW_FIELDS: Words<Readonly<Record<"_id" | "_lead_id" | "_created_at" | "_updated_at", string>>> =
  {
    en: { _id: "Row", _lead_id: "Lead", _created_at: "Added", _updated_at: "Changed" },
    "pt-BR": { _id: "Linha", _lead_id: "Lead", _created_at: "Adicionada", _updated_at: "Alterada" },
  };

export const UNIT_WORDS: Words<Named<Unit, readonly [one: string, many: string]>> = {
  en: {
    minute: ["minute", "minutes"],
    hour: ["hour", "hours"],
    day: ["day", "days"],
    week: ["week", "weeks"],
    month: ["month", "months"],
    year: ["year", "years"],
  },
  "pt-BR": {
    minute: ["minuto", "minutos"],
    hour: ["hora", "horas"],
    day: ["dia", "dias"],
    week: ["semana", "semanas"],
    month: ["mês", "meses"],
    year: ["ano", "anos"],
  },
};

export const PERIOD_WORDS: Words<Readonly<Record<Period, string>>> = {
  en: {
    today: "today",
    yesterday: "yesterday",
    tomorrow: "tomorrow",
    this_week: "this week",
    this_month: "this month",
    this_quarter: "this quarter",
    this_year: "this year",
    last_week: "last week",
    last_month: "last month",
    last_quarter: "last quarter",
    last_year: "last year",
    next_week: "next week",
    next_month: "next month",
    next_quarter: "next quarter",
    next_year: "next year",
  },
  "pt-BR": {
    today: "hoje",
    yesterday: "ontem",
    tomorrow: "amanhã",
    this_week: "nesta semana",
    this_month: "neste mês",
    this_quarter: "neste trimestre",
    this_year: "neste ano",
    last_week: "na semana passada",
    last_month: "no mês passado",
    last_quarter: "no trimestre passado",
    last_year: "no ano passado",
    next_week: "na próxima semana",
    next_month: "no próximo mês",
    next_quarter: "no próximo trimestre",
    next_year: "no próximo ano",
  },
};

/** How often, by operator; `once` and `never` are the most common choices. */
export const COUNT_OPS: Words<Named<CountOperator | "once" | "never">> = {
  en: {
    once: "at least once",
    never: "never",
    gte: "at least",
    gt: "more than",
    lte: "at most",
    lt: "fewer than",
    eq: "exactly",
    neq: "not exactly",
    between: "between",
  },
  "pt-BR": {
    once: "pelo menos uma vez",
    never: "nunca",
    gte: "pelo menos",
    gt: "mais de",
    lte: "no máximo",
    lt: "menos de",
    eq: "exatamente",
    neq: "não exatamente",
    between: "entre",
  },
};
