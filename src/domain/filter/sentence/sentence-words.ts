import type { Interval, Unit } from "../../../contract/lists/time.ts";
import type { Words } from "../../../core/locale.ts";

/** The words of filter sentences. `$v` in a phrase is the value. */
export interface SentenceWords {
  and: string;
  or: string;
  not: string;
  everybody: string;
  nobody: string;
  view: string;
  words: string;
  yes: string;
  no: string;
  /** What follows a field's label, by operator; dateOps and tagOps take precedence. */
  ops: Record<string, string>;
  dateOps: Record<string, string>;
  tagOps: Record<string, string>;
  units: Record<Unit, readonly [one: string, many: string]>;
  days: Record<string, string>;
  periods: Record<string, Record<Exclude<Interval, "day">, string>>;
  event: {
    none: (type: string) => string;
    had: (count: string, type: string, one: boolean) => string;
    notHad: (count: string, type: string, one: boolean) => string;
    picked: (pick: "first" | "last", type: string) => string;
    any: string;
    where: string;
    whose: string;
    happened: string;
    exists: string;
    counts: Record<string, string>;
  };
  dataset: {
    none: (name: string) => string;
    has: (count: string, name: string, one: boolean) => string;
    notHas: (count: string, name: string, one: boolean) => string;
  };
}

const ENGLISH: SentenceWords = {
  and: "and",
  or: "or",
  not: "not",
  everybody: "everybody",
  nobody: "nobody",
  view: "is in the view",
  words: "mentions",
  yes: "yes",
  no: "no",
  ops: {
    eq: "is $v",
    neq: "is not $v",
    in: "is one of $v",
    not_in: "is not one of $v",
    contains: "contains $v",
    not_contains: "does not contain $v",
    starts_with: "starts with $v",
    ends_with: "ends with $v",
    domain_in: "is in the domain $v",
    gt: "is more than $v",
    gte: "is at least $v",
    lt: "is less than $v",
    lte: "is at most $v",
    between: "is between $v",
    is_empty: "is empty",
    is_not_empty: "is not empty",
  },
  dateOps: {
    eq: "on $v",
    before: "before $v",
    after: "after $v",
    on_or_before: "on or before $v",
    on_or_after: "on or after $v",
    between: "between $v",
    in_last: "in the last $v",
    not_in_last: "not in the last $v",
    in_next: "in the next $v",
    older_than: "more than $v ago",
    in_period: "$v",
  },
  tagOps: {
    has_any: "include any of $v",
    has_all: "include all of $v",
    has_none: "include none of $v",
    is_empty: "are empty",
    is_not_empty: "are not empty",
  },
  units: {
    minute: ["minute", "minutes"],
    hour: ["hour", "hours"],
    day: ["day", "days"],
    week: ["week", "weeks"],
    month: ["month", "months"],
    year: ["year", "years"],
  },
  days: { yesterday: "yesterday", today: "today", tomorrow: "tomorrow" },
  periods: {
    last: { week: "last week", month: "last month", quarter: "last quarter", year: "last year" },
    this: { week: "this week", month: "this month", quarter: "this quarter", year: "this year" },
    next: { week: "next week", month: "next month", quarter: "next quarter", year: "next year" },
  },
  event: {
    none: (type) => `had no ${type}event`,
    had: (count, type, one) => `had ${count} ${type}${one ? "event" : "events"}`,
    notHad: (count, type, one) => `did not have ${count} ${type}${one ? "event" : "events"}`,
    picked: (pick, type) => `whose ${pick} ${type}event`,
    any: "or",
    where: "where",
    whose: "has",
    happened: "was",
    exists: "exists",
    counts: {
      eq: "exactly $v",
      gt: "more than $v",
      gte: "at least $v",
      lt: "fewer than $v",
      lte: "at most $v",
      between: "between $v",
    },
  },
  dataset: {
    none: (name) => `has no row in ${name}`,
    has: (count, name, one) => `has ${count} ${one ? "row" : "rows"} in ${name}`,
    notHas: (count, name, one) => `does not have ${count} ${one ? "row" : "rows"} in ${name}`,
  },
};

const PORTUGUESE: SentenceWords = {
  and: "e",
  or: "ou",
  not: "não",
  everybody: "todos",
  nobody: "ninguém",
  view: "está na visão",
  words: "menciona",
  yes: "sim",
  no: "não",
  ops: {
    eq: "é $v",
    neq: "não é $v",
    in: "é um destes: $v",
    not_in: "não é nenhum destes: $v",
    contains: "contém $v",
    not_contains: "não contém $v",
    starts_with: "começa com $v",
    ends_with: "termina com $v",
    domain_in: "é do domínio $v",
    gt: "é maior que $v",
    gte: "é no mínimo $v",
    lt: "é menor que $v",
    lte: "é no máximo $v",
    between: "está entre $v",
    is_empty: "está vazio",
    is_not_empty: "não está vazio",
  },
  dateOps: {
    eq: "em $v",
    before: "antes de $v",
    after: "depois de $v",
    on_or_before: "até $v",
    on_or_after: "a partir de $v",
    between: "entre $v",
    in_last: "no período dos últimos $v",
    not_in_last: "fora do período dos últimos $v",
    in_next: "no período dos próximos $v",
    older_than: "há mais de $v",
    in_period: "$v",
  },
  tagOps: {
    has_any: "incluem algum destes: $v",
    has_all: "incluem todos estes: $v",
    has_none: "não incluem nenhum destes: $v",
    is_empty: "estão vazios",
    is_not_empty: "não estão vazios",
  },
  units: {
    minute: ["minuto", "minutos"],
    hour: ["hora", "horas"],
    day: ["dia", "dias"],
    week: ["semana", "semanas"],
    month: ["mês", "meses"],
    year: ["ano", "anos"],
  },
  days: { yesterday: "ontem", today: "hoje", tomorrow: "amanhã" },
  periods: {
    last: {
      week: "na semana passada",
      month: "no mês passado",
      quarter: "no trimestre passado",
      year: "no ano passado",
    },
    this: { week: "nesta semana", month: "neste mês", quarter: "neste trimestre", year: "neste ano" },
    next: {
      week: "na próxima semana",
      month: "no próximo mês",
      quarter: "no próximo trimestre",
      year: "no próximo ano",
    },
  },
  event: {
    none: (type) => `não teve nenhum evento${type === "" ? "" : ` ${type.trim()}`}`,
    had: (count, type, one) =>
      `teve ${count} ${one ? "evento" : "eventos"}${type === "" ? "" : ` ${type.trim()}`}`,
    notHad: (count, type, one) =>
      `não teve ${count} ${one ? "evento" : "eventos"}${type === "" ? "" : ` ${type.trim()}`}`,
    picked: (pick, type) =>
      `cujo ${pick === "first" ? "primeiro" : "último"} evento${type === "" ? "" : ` ${type.trim()}`}`,
    any: "ou",
    where: "em que",
    whose: "tem",
    happened: "foi",
    exists: "existe",
    counts: {
      eq: "exatamente $v",
      gt: "mais de $v",
      gte: "pelo menos $v",
      lt: "menos de $v",
      lte: "no máximo $v",
      between: "entre $v",
    },
  },
  dataset: {
    none: (name) => `não tem nenhuma linha em ${name}`,
    has: (count, name, one) => `tem ${count} ${one ? "linha" : "linhas"} em ${name}`,
    notHas: (count, name, one) => `não tem ${count} ${one ? "linha" : "linhas"} em ${name}`,
  },
};

export const SENTENCE_WORDS: Words<SentenceWords> = { en: ENGLISH, "pt-BR": PORTUGUESE };
