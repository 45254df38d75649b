import { createHash } from "node:crypto";
import type { EventRule } from "../../../contract/imports/import-mapping.ts";
import { givenMoment } from "../../../core/moment.ts";
import { dataFault } from "../../timeline/event-data.ts";
import { eventTitle } from "../../timeline/event-title.ts";
import type { Patch } from "../../values/value.ts";
import { unstorable } from "../../values/value.ts";
import { compileTemplate, type TemplateInput } from "./template.ts";

/** An event from a row; `key` identifies it, so that a second import does not duplicate it. */
export interface RowEvent {
  type: string;
  title: string;
  key: string;
  /** Milliseconds since 1970. */
  at: number;
  /** JSON. */
  data: string;
}

/** Returns further events of a row. */
export type EventsOfRow = (input: TemplateInput, patch: Patch) => RowEvent[];

const MOST = 1_000;

/** Returns notes for the timeline; each is found again by its text, so that a second import does not repeat it. */
export function noteEvents(
  notes: readonly string[],
  now: Date,
): RowEvent[] | { code: string; message: string } {
  const events: RowEvent[] = [];
  const pieces = notes.flatMap((note) => note.match(PIECE) ?? []);
  for (const text of new Set(pieces)) {
    const fault = dataFault({ text }, "$");
    if (fault !== undefined) return fault;
    const key = `note ${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    const data = JSON.stringify({ text });
    events.push({ type: NOTE, title: eventTitle(NOTE, { text }), key, at: now.getTime(), data });
  }
  return events;
}

const NOTE = "note.added";
/** An event's data is limited, so a longer note becomes several. */
const PIECE = /[\s\S]{1,4000}/gu;

/** Compiles a rule to a function that returns a row's events or an error. It sets the rule's `first` in the patch. */
export function compileEvents(
  rule: EventRule,
  columnOf: (header: string) => number,
): (input: TemplateInput, patch: Patch) => RowEvent[] | { code: string; message: string } {
  const title = compileTemplate(rule.title, columnOf);
  const key = compileTemplate(rule.key, columnOf);
  const times = rule.times === undefined ? undefined : columnOf(rule.times);
  const data = Object.entries(rule.data ?? {}).map(
    ([name, text]) => [name, compileTemplate(text, columnOf)] as const,
  );
  const apart = (rule.hours_apart ?? 24) * 3_600_000;
  return (input, patch) => {
    const count = times === undefined ? 1 : Number(input.cells[times]?.trim() || 0);
    if (!Number.isInteger(count) || count < 0 || count > MOST) {
      return { code: "not_a_count", message: `must be an integer from 0 to ${MOST}` };
    }
    const last = Date.parse(String(patch.get(rule.last) ?? ""));
    if (count === 0 || Number.isNaN(last)) return [];
    const at = (n: number) => last - (count - n) * apart;
    const first = givenMoment(new Date(at(1)));
    if (first === undefined)
      return { code: "not_a_datetime", message: "its first event would be before the year 1" };
    if (rule.first !== undefined) patch.set(rule.first, first);
    const events: RowEvent[] = [];
    for (let n = 1; n <= count; n += 1) {
      const each = { cells: input.cells, record: input.record, n };
      const told: Record<string, string> = {};
      for (const [name, text] of data) told[name] = text(each);
      const [called, named] = [title(each), key(each)];
      const fault = [called, named, ...Object.values(told)].map(unstorable).find((found) => found);
      if (fault !== undefined) return fault;
      events.push({ type: rule.type, title: called, key: named, at: at(n), data: JSON.stringify(told) });
    }
    return events;
  };
}
