import { useMemo } from "react";
import { PERIODS } from "../../../src/contract/lists/time.ts";
import { useFields, useViews } from "../api/queries.ts";
import { eventTypeName } from "../words/event-title.ts";
import { useFormat } from "../words/format.ts";
import { type Locale, useLocale, useWords } from "../words/use-words.ts";
import type { Format } from "../words/written.ts";
import { countParts } from "./model/change-filter.ts";
import { DATE_EDITOR_OPS } from "./model/operators.ts";
import type { Condition, EventPart, Part } from "./model/part.ts";
import { useAskDatasets, useAskFields } from "./rows/use-ask-fields.ts";
import { COUNT_OPS, DATE_OPS, OPS, PERIOD_WORDS, UNIT_WORDS } from "./words/filter-words.ts";
import { PANEL_WORDS } from "./words/panel-words.ts";

/** More values than these are only counted, and longer ones cut. */
const SHOWN = 3;
const LONGEST = 40;

/** Returns a function that describes a part of a filter (of leads or dataset rows) in a few words, for a chip. */
export function usePhrase(dataset?: string): (part: Part) => string {
  const locale = useLocale();
  const words = useWords(PANEL_WORDS);
  const format = useFormat();
  const fields = useFields().data?.fields;
  const views = useViews().data?.views;
  const datasets = useAskDatasets();
  const rowFields = useAskFields({ of: "rows", dataset: dataset ?? "" });
  const named = dataset === undefined ? fields : rowFields;
  return useMemo(() => {
    const inside = (part: Part): string => {
      switch (part.kind) {
        case "condition":
          return conditionPhrase(part, named?.find(({ name }) => name === part.field)?.label, locale, format);
        case "group":
          return part.parts.length === 1 && part.parts[0] !== undefined
            ? phrase(part.parts[0])
            : `${words[part.join === "and" ? "all" : "any"]}: ${countParts(part)} ${words.conditions}`;
        case "event":
          return eventPhrase(part, locale, format, words);
        case "dataset":
          return `${countPhrase(part.count, locale)} ${words.rowsIn} ${
            datasets.find(({ key }) => key === part.key)?.name ?? part.key
          }`;
        case "view":
          return `${words.inView} ${views?.find(({ id }) => id === part.view)?.name ?? part.view}`;
        case "raw":
          return cut(JSON.stringify(part.json) ?? "");
      }
    };
    const phrase = (part: Part): string =>
      part.nots === 0 ? inside(part) : `${words.not} (${inside(part)})`;
    return (part) => {
      const text = phrase(part);
      return text.charAt(0).toUpperCase() + text.slice(1);
    };
  }, [locale, words, format, named, views, datasets]);
}

function conditionPhrase(
  { field, op, value }: Condition,
  label = field,
  locale: Locale,
  format: Format,
): string {
  const isDate =
    DATE_EDITOR_OPS.has(op) || (op === "between" && isDays(value)) || (op === "eq" && isDays([value]));
  const name = (isDate ? DATE_OPS[locale][op] : undefined) ?? OPS[locale][op] ?? op;
  return `${label} ${name} ${valuePhrase(op, value, locale, format)}`.trim();
}

const isDays = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string" && /^\d{4}-\d\d-\d\d/.test(each));

function eventPhrase(
  part: EventPart,
  locale: Locale,
  format: Format,
  words: Record<"every" | "not", string>,
): string {
  if (part.occurred?.op === "not_in_last") {
    const there: EventPart = { ...part, occurred: { ...part.occurred, op: "in_last" } };
    if (part.count !== undefined) return `${words.not} (${eventPhrase(there, locale, format, words)})`;
    return eventPhrase({ ...there, count: { op: "eq", value: 0 } }, locale, format, words);
  }
  const types = part.types.map((type) => eventTypeName(locale, type)).join(", ") || words.every;
  const { occurred } = part;
  const when =
    occurred === undefined
      ? ""
      : ` ${adverb(DATE_OPS[locale][occurred.op] ?? occurred.op)} ${valuePhrase(occurred.op, occurred.value, locale, format)}`;
  return `${types}: ${countPhrase(part.count, locale)}${when}`;
}

/** The words of a date operator without the verb, as used after an event. */
const adverb = (op: string): string => op.replace(/^(is|é|está) /, "");

function countPhrase(count: { op: string; value: unknown } | undefined, locale: Locale): string {
  const names = COUNT_OPS[locale];
  if (count === undefined) return names.once;
  if (count.op === "eq" && count.value === 0) return names.never;
  return `${names[count.op] ?? count.op} ${String(count.value).replace(",", "–")}×`;
}

function valuePhrase(op: string, value: unknown, locale: Locale, format: Format): string {
  if (value === undefined || value === null) return "";
  const { number, day } = format;
  const one = (each: unknown): string => {
    if (typeof each === "number") return number(each);
    if (typeof each === "boolean") return PANEL_WORDS[locale][each ? "yes" : "no"];
    const text = String(each);
    if (/^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(text))) return day(text);
    return cut(text) || "“”";
  };
  if (Array.isArray(value)) {
    const shown = value.slice(0, SHOWN).map(one);
    const type = op === "between" || op === "has_all" ? "conjunction" : "disjunction";
    const list = new Intl.ListFormat(locale, { type });
    return list.format(value.length > SHOWN ? [...shown, `+${number(value.length - SHOWN)}`] : shown);
  }
  if (typeof value === "object") {
    const { n, unit }: { n?: unknown; unit?: unknown } = value;
    const names = UNIT_WORDS[locale][String(unit)];
    return typeof n === "number" && names !== undefined
      ? `${number(n)} ${names[n === 1 ? 0 : 1]}`
      : cut(JSON.stringify(value));
  }
  const period = op === "in_period" ? PERIODS.find((each) => each === value) : undefined;
  return period === undefined ? one(value) : PERIOD_WORDS[locale][period];
}

export const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
