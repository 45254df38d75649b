import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import { malformed } from "../../../core/refusal.ts";
import { createdFault } from "../../leads/write/read-lead.ts";
import { currencyIn } from "../../values/currency-signs.ts";
import { e164Of } from "../../values/read-phone.ts";
import type { Patch } from "../../values/value.ts";
import type { FileRecord } from "../file/shape/import-file.ts";
import { raggedFault } from "../file/table/reason-columns.ts";
import { compileCalendar } from "./calendar.ts";
import type { ColumnPlan } from "./column-plan.ts";
import type { SeveralField } from "./field-reading.ts";
import type { ImportTarget } from "./import-target.ts";
import { isIdentified, joined, withIdentity, withoutRepeats } from "./joined-values.ts";
import { applyOptOut } from "./opt-outs.ts";
import { compileEvents, type EventsOfRow, noteEvents, type RowEvent } from "./row-events.ts";

/** Why a row failed: the physical line where it starts, the column's header, a stable code, a message. */
export interface Failure {
  row: number;
  column: string;
  code: string;
  message: string;
}

/** Further e-mails and phones of cells that hold several. They are added to the lists that a lead has. */
type More = ReadonlyMap<SeveralField, readonly string[]>;

/** A record after reading: empty, bad with its faults, or filled with values for a lead or row. */
export type ReadRow = { line: number; number: number; cells: readonly string[] } & (
  | { kind: "empty" }
  | { kind: "bad"; faults: Failure[] }
  | { kind: "filled"; patch: Patch; more: More; events: RowEvent[] }
);

export interface RowReader {
  /** Every field that a row can fill, with its column; "" if it is filled by several. */
  headers: ReadonlyMap<string, string>;
  read(record: FileRecord, number: number): ReadRow;
}

/**
 * Compiles plan and mapping to a reader, which must receive the records in the order of the file. `width` is the
 * required number of cells; null allows fewer. `ofCaller` adds events to each row.
 */
export function rowReader(
  width: number | null,
  plan: ColumnPlan,
  mapping: ImportMapping,
  target: ImportTarget,
  ofCaller: EventsOfRow = () => [],
): RowReader {
  const rule = mapping.calendar;
  const calendar = rule && compileCalendar(rule, plan.columnOf);
  const events = (mapping.events ?? []).map((each) => ({
    rule: each,
    of: compileEvents(each, plan.columnOf),
  }));
  const headers = headersOf(plan, mapping, target);
  const createdFrom = plan.fields.find(({ field }) => field === "created_at")?.column ?? rule?.day ?? "";
  const { skip_rows: skip, skip_if: skipIf = {} } = mapping;
  const unwanted = cellsAmong(skipIf, plan);
  const refusing = cellsAmong(mapping.opt_out_if ?? {}, plan);
  const names = plan.fields.map(({ field }) => field);
  const united = new Set(names.filter((field, i) => names.indexOf(field) < i));
  const hasLists = names.includes("emails") || names.includes("phones");
  const identity =
    mapping.skip_unidentified === true ? "skip" : mapping.identify?.map((column) => plan.columnOf(column));
  const prefixed = Object.entries(mapping.columns).flatMap(([column, rule]) =>
    typeof rule === "object" && rule.prefix ? [{ index: plan.columnOf(column), prefix: rule.prefix }] : [],
  );
  const isSkipped = (cells: readonly string[]) =>
    unwanted(cells) ||
    (skip !== undefined &&
      (cells.some((cell) => cell.trimStart().startsWith(skip)) ||
        prefixed.some(({ index, prefix }) => cells[index]?.trimStart().startsWith(prefix + skip))));
  return {
    headers,
    read({ line, cells, fault, left }, number) {
      const row = { line, number, cells };
      if (left === true) return { ...row, kind: "empty" };
      if (fault !== undefined) return { ...row, kind: "bad", faults: [{ row: line, column: "", ...fault }] };
      if (cells.every((cell) => cell.trim() === "") || isSkipped(cells)) return { ...row, kind: "empty" };
      const input = { cells, record: number };
      const patch: Patch = new Map();
      const faults: Failure[] = [];
      const fail = (column: string, fault: { code: string; message: string }) =>
        faults.push({ row: line, column, code: fault.code, message: fault.message });
      const moment = calendar?.(input);
      if (width !== null && isRagged(cells, width)) {
        fail("", raggedFault(cells.length, width));
        return { ...row, kind: "bad", faults };
      }
      if (rule !== undefined && moment !== undefined) {
        if ("value" in moment) patch.set(rule.field, moment.value);
        else fail(rule.day, moment);
      }
      const more = new Map<SeveralField, string[]>();
      const notes: string[] = [];
      for (const { field, column, text, read, several, currency } of plan.fields) {
        const content = text(input).trim();
        if (content === "") continue;
        const [first = content, ...others] = several?.of(content) ?? [content];
        const reading = read(first);
        if (reading === undefined) continue;
        if ("code" in reading) fail(column, reading);
        else if (field === "note" && target.rows === null) notes.push(String(reading.value));
        else patch.set(field, joined(field, patch.get(field), reading.value));
        const written = currency === "signs" ? currencyIn(content) : currency;
        if (written !== undefined && !patch.has("currency")) patch.set("currency", written);
        if (several !== undefined && others.length > 0) more.set(several.list, others);
      }
      const own = events.flatMap(({ rule: each, of }) => {
        const made = of(input, patch);
        if (Array.isArray(made)) return made;
        fail(each.times ?? "", made);
        return [];
      });
      if (target.rows === null) {
        if (refusing(cells)) patch.set("opt_out", joined("opt_out", patch.get("opt_out"), "do_not_contact"));
        own.push(...ofCaller(input, patch), ...applyOptOut(patch));
        const noted = notes.length === 0 ? [] : noteEvents(notes, target.now);
        if (Array.isArray(noted)) own.push(...noted);
        else fail(headers.get("note") ?? "", noted);
      }
      const created = target.rows === null ? patch.get("created_at") : undefined;
      const unlikely = typeof created === "string" ? createdFault(created, target.now) : undefined;
      if (unlikely !== undefined) fail(createdFrom, unlikely);
      if (faults.length > 0) return { ...row, kind: "bad", faults };
      if (target.rows === null) {
        if (identity !== undefined && !isIdentified(patch, more)) {
          if (identity === "skip") return { ...row, kind: "empty" };
          const parts = identity.map((index) => cells[index] ?? "");
          withIdentity(patch, parts);
        }
        if (hasLists) withoutRepeats(patch, united, target.country);
        const phone = patch.get("phone");
        if (typeof phone === "string") patch.set("phone_e164", e164Of(phone, target.country));
      }
      return { ...row, kind: "filled", patch, more, events: own };
    },
  };
}

/** Returns whether a row has one of these values, in any case, in their columns. */
function cellsAmong(
  wanted: Readonly<Record<string, readonly string[]>>,
  plan: ColumnPlan,
): (cells: readonly string[]) => boolean {
  const all = Object.entries(wanted).map(([column, values]) => ({
    index: plan.columnOf(column),
    values: new Set(values.map((value) => value.trim().toLowerCase())),
  }));
  return (cells) => all.some(({ index, values }) => values.has((cells[index] ?? "").trim().toLowerCase()));
}

/** Blank cells after the last column are allowed, because some programs write them. */
const isRagged = (cells: readonly string[], width: number): boolean =>
  cells.length !== width && (cells.length < width || cells.slice(width).some((cell) => cell.trim() !== ""));

function headersOf(plan: ColumnPlan, mapping: ImportMapping, target: ImportTarget): Map<string, string> {
  const extra = [mapping.calendar?.field, ...(mapping.events ?? []).map((rule) => rule.first)];
  const headers = new Map<string, string>();
  for (const { several, column } of plan.fields) if (several !== undefined) headers.set(several.list, column);
  for (const { field, column } of plan.fields) headers.set(field, column);
  for (const field of extra.filter((each) => each !== undefined)) {
    if (target.fields.get(field)?.type !== "datetime") {
      throw malformed([
        { path: "$", code: "not_a_time_field", message: `"${field}" is not a date and time field` },
      ]);
    }
    if (!headers.has(field)) headers.set(field, "");
  }
  return headers;
}
