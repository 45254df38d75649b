import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { malformed } from "../../core/refusal.ts";
import { compileCalendar } from "./calendar.ts";
import type { ColumnPlan } from "./column-plan.ts";
import type { CsvRecord } from "./csv-file.ts";
import type { Failure } from "./import-report.ts";
import type { ImportTarget } from "./import-target.ts";
import type { Mapping } from "./mapping.ts";
import { compileEvents, type RowEvent } from "./row-events.ts";
import type { Patch } from "./value.ts";

/** A record that was read: empty, bad with its faults, or what it gives to a lead. */
export type ReadRow = { line: number } & (
  | { kind: "empty" }
  | { kind: "bad"; faults: Failure[] }
  | { kind: "lead"; patch: Patch; events: RowEvent[] }
);

export interface RowReader {
  /** Every field that a row may fill, in a fixed order. */
  fields: string[];
  read(record: CsvRecord, number: number): ReadRow;
}

/** Compiles plan and mapping into a reader, which must be given the records in the order of the file. */
export function rowReader(
  width: number,
  plan: ColumnPlan,
  mapping: Mapping,
  target: ImportTarget,
): RowReader {
  const rule = mapping.calendar;
  const calendar = rule && compileCalendar(rule, plan.columnOf);
  const events = (mapping.events ?? []).map((each) => ({
    rule: each,
    of: compileEvents(each, plan.columnOf),
  }));
  const fields = fieldsOf(plan, mapping, target);
  return {
    fields,
    read({ line, cells }, number) {
      if (cells.every((cell) => cell.trim() === "")) return { line, kind: "empty" };
      const input = { cells, record: number };
      const patch: Patch = new Map();
      const faults: Failure[] = [];
      const fail = (column: string, fault: { code: string; message: string }) =>
        faults.push({ row: line, column, code: fault.code, message: fault.message });
      const moment = calendar?.(input);
      if (cells.length !== width) {
        fail("", {
          code: "column_count",
          message: `has ${cells.length} cells where the header has ${width}`,
        });
        return { line, kind: "bad", faults };
      }
      if (rule !== undefined && moment !== undefined) {
        if ("value" in moment) patch.set(rule.field, moment.value);
        else fail(rule.day, moment);
      }
      for (const { field, column, text, read } of plan.fields) {
        const content = text(input).trim();
        if (content === "") continue;
        const reading = read(content);
        if ("value" in reading) patch.set(field, reading.value);
        else fail(column, reading);
      }
      const own = events.flatMap(({ rule: each, of }) => {
        const made = of(input, patch);
        if (Array.isArray(made)) return made;
        fail(each.times ?? "", made);
        return [];
      });
      if (faults.length > 0) return { line, kind: "bad", faults };
      const phone = patch.get("phone");
      if (typeof phone === "string") patch.set("phone_e164", e164(phone, target.country));
      return { line, kind: "lead", patch, events: own };
    },
  };
}

function fieldsOf(plan: ColumnPlan, mapping: Mapping, target: ImportTarget): string[] {
  const extra = [mapping.calendar?.field, ...(mapping.events ?? []).map((rule) => rule.first)];
  const fields = new Set(plan.fields.map(({ field }) => field));
  for (const field of extra.filter((each) => each !== undefined)) {
    if (target.fields.get(field)?.type !== "datetime") {
      throw malformed([
        { path: "$", code: "not_a_time_field", message: `"${field}" is no field that holds a time` },
      ]);
    }
    fields.add(field);
  }
  if (fields.has("phone")) fields.add("phone_e164");
  return [...fields];
}

function e164(phone: string, country: string | null): string | null {
  const home = country !== null && isSupportedCountry(country) ? (country as CountryCode) : undefined;
  const parsed = parsePhoneNumberFromString(phone, home === undefined ? {} : { defaultCountry: home });
  return parsed?.isPossible() === true ? parsed.number : null;
}
