import { positiveOf } from "../../fields/operator.ts";
import type { DatasetCondition, EventCondition, Filter } from "../tree/filter.ts";
import { quote, rangePhrase, type Speech } from "./sentence-values.ts";

/** The sentence of an event condition: `had at least 3 “email opened” events in the last 30 days`. */
export function eventSentence(
  event: EventCondition,
  speech: Speech,
  said: (where: Filter) => string,
): string {
  const { words } = speech;
  if (event.became !== undefined) {
    const { became, where: _, ...rest } = event;
    const { type, ...own } = became;
    return eventSentence({ ...rest, types: [type], ...own }, speech, said);
  }
  if (event.occurred?.negated === true) return deniedSentence(event, event.occurred, speech, said);
  const type = typeOf(event, speech);
  const when =
    event.occurred === undefined
      ? []
      : [rangePhrase(event.occurred.said.op, event.occurred.said.value, speech)];
  const where = event.where === undefined ? [] : [`${words.event.where} (${said(event.where)})`];
  if (event.pick !== "any") {
    const subject = words.event.picked(event.pick, type);
    const told = [
      ...when.map((each) => `${words.event.happened} ${each}`),
      ...(event.where === undefined ? [] : [`${words.event.whose} (${said(event.where)})`]),
    ];
    const phrase = `${subject} ${told.join(` ${words.and} `) || words.event.exists}`;
    return counted(event) === "once" ? phrase : `${phrase}: ${countPhrase(event, speech).text}`;
  }
  return [...[head(event, type, speech)], ...when, ...where].join(" ");
}

/** The sentence of a negated time range: `had no “email opened” event in the last 180 days`. */
function deniedSentence(
  event: EventCondition,
  occurred: NonNullable<EventCondition["occurred"]>,
  speech: Speech,
  said: (where: Filter) => string,
): string {
  const { op } = positiveOf(occurred.said.op);
  const denied = { ...event, occurred: { ...occurred, negated: false, said: { ...occurred.said, op } } };
  if (event.pick !== "any" || counted(event) !== "once")
    return `${speech.words.not} (${eventSentence(denied, speech, said)})`;
  const none = { least: 0, most: 0, negated: false, said: { op: "eq", value: 0 } };
  return eventSentence({ ...denied, count: none }, speech, said);
}

/** The sentence of a dataset condition: `has at least 3 rows in “Companies” where (…)`. */
export function datasetSentence(
  dataset: DatasetCondition,
  speech: Speech,
  said: (where: Filter) => string,
): string {
  const { words } = speech;
  const where = dataset.where === undefined ? [] : [`${words.event.where} (${said(dataset.where)})`];
  const none = counted(dataset) === "none";
  const { text, one } = countPhrase(dataset, speech);
  const head = none
    ? words.dataset.none(quote(dataset.name))
    : words.dataset[dataset.count.negated ? "notHas" : "has"](text, quote(dataset.name), one);
  return [head, ...where].join(" ");
}

/** Classifies the count: `once` is the default (at least one). */
function counted({ count }: Pick<EventCondition, "count">): "once" | "none" | "other" {
  const { least, most, negated } = count;
  if (!negated && least === 1 && most === undefined) return "once";
  return !negated && least === 0 && most === 0 ? "none" : "other";
}

function head(event: EventCondition, type: string, speech: Speech): string {
  const { words } = speech;
  if (counted(event) === "none") return words.event.none(type);
  const { text, one } = countPhrase(event, speech);
  return event.count.negated ? words.event.notHad(text, type, one) : words.event.had(text, type, one);
}

function countPhrase(
  { count }: Pick<EventCondition, "count">,
  { words, locale }: Speech,
): { text: string; one: boolean } {
  const { op, value } = count.said;
  const format = new Intl.NumberFormat(locale);
  const numbers = (Array.isArray(value) ? value : [value]).map(Number);
  const pattern = words.event.counts[op === "neq" ? "eq" : op] ?? op;
  const text = pattern.replace("$v", () => numbers.map((n) => format.format(n)).join(` ${words.and} `));
  return { text, one: numbers.length === 1 && numbers[0] === 1 };
}

/** `“email opened” ` with a trailing space; several types joined by "or"; empty for events of any type. */
function typeOf({ types }: EventCondition, { words }: Speech): string {
  const names = types.map((type) => quote(type.replaceAll(".", " ").replace(/ \*$/, " …")));
  return names.length === 0 ? "" : `${names.join(` ${words.event.any} `)} `;
}
