import type { Locale, Words } from "../../words/use-words.ts";
import type { Format } from "../../words/written.ts";
import { type Fields, fieldsIn, isFields, listIn } from "../host/answer.ts";
import { fieldKind, labelOf } from "../parts/labels.ts";

/** A group of a summary: what its leads have in common, and their figures by name. */
export interface Group {
  key: Fields;
  figures: Fields;
}

/** What the service writes where a group has no value, or no owner. */
export const NO_VALUE = "(no value)";
export const NO_OWNER = "(no owner)";

export const groupsIn = (answer: Fields): Group[] =>
  listIn(answer, "groups")
    .filter(isFields)
    .map((group) => ({
      key: fieldsIn(group, "key"),
      figures: { ...fieldsIn(group, "metrics"), ...amountsIn(group) },
    }));

/** The amounts of each currency, by figure; only where there are several currencies. */
export const amountsIn = (group: Fields): Fields => ({
  ...fieldsIn(group, "by_currency"),
  ...Object.fromEntries(
    Object.entries(fieldsIn(group, "by_currency_before")).map(([name, of]) => [`${name}_before`, of]),
  ),
});

/** What comparing adds to the name of a figure. */
const ADDED = /_(before|change|points)$/;

/** Returns the names of the figures that were asked for, without what comparing adds to them. */
export function figuresOf(groups: readonly Group[]): string[] {
  const names = new Set(groups.flatMap(({ figures }) => Object.keys(figures)));
  return [...names].filter((name) => !(ADDED.test(name) && names.has(name.replace(ADDED, ""))));
}

const OWN: Words<Readonly<Record<string, string>>> = {
  en: { count: "Leads", share: "Share", rate: "Rate", response_hours: "Response time", answered: "Answered" },
  "pt-BR": {
    count: "Leads",
    share: "Participação",
    rate: "Taxa",
    response_hours: "Tempo de resposta",
    answered: "Respondidos",
  },
};

const COMPUTED: Words<Readonly<Record<string, string>>> = {
  en: {
    ...{ sum: "total", avg: "average", median: "median", min: "lowest", max: "highest" },
    count_distinct: "different",
  },
  "pt-BR": {
    ...{ sum: "total", avg: "média", median: "mediana", min: "menor", max: "maior" },
    count_distinct: "diferentes",
  },
};

const PARTS = /^(sum|avg|median|min|max|count_distinct)_(.+)$/;

/** Returns what a figure is called, such as `Value (average)`. */
export function figureName(locale: Locale, name: string): string {
  const [, computed = "", field = ""] = PARTS.exec(name) ?? [];
  if (field === "") return Object.hasOwn(OWN[locale], name) ? (OWN[locale][name] ?? name) : name;
  return `${labelOf(locale, field)} (${COMPUTED[locale][computed]})`;
}

/** Returns a figure as it is written; a dash if there is none. */
export function written(format: Format, name: string, value: unknown): string {
  if (isFields(value))
    return Object.entries(value).length === 0
      ? "–"
      : Object.entries(value)
          .map(([currency, amount]) => format.sum(Number(amount), currency === "" ? null : currency))
          .join(" + ");
  if (typeof value === "string") return /^\d{4}-\d\d-\d\d/.test(value) ? format.day(value) : value;
  if (typeof value !== "number") return "–";
  if (name === "share" || name === "rate") return format.percent(value / 100);
  if (name === "response_hours") return `${format.number(value)}\u00a0h`;
  const [, computed, field = ""] = PARTS.exec(name) ?? [];
  return fieldKind(field) === "money" && computed !== "count_distinct"
    ? format.sum(value)
    : format.number(value);
}

/** Returns how a figure changed, with its sign: percentages by points, others in percent. Undefined if that is not known. */
export function changed(locale: Locale, format: Format, name: string, figures: Fields): string | undefined {
  const [percent, points] = [figures[`${name}_change`], figures[`${name}_points`]];
  const sign = (value: number) => (value > 0 ? "+" : value < 0 ? "−" : "±");
  if (typeof points === "number")
    return `${sign(points)}${format.number(Math.abs(points))}\u00a0${locale === "en" ? "pp" : "p.p."}`;
  return typeof percent === "number" ? `${sign(percent)}${format.change(percent / 100)}` : undefined;
}
