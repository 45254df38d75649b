import type { CalendarRule } from "../../../contract/imports/import-mapping.ts";
import { givenMoment } from "../../../core/moment.ts";
import type { Reading } from "../../values/cell-readers.ts";
import { utcDay } from "../../values/zoned-moment.ts";
import type { TemplateInput } from "./template.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const OPENS_MS = 9 * 3_600_000;
const OPEN_SECONDS = 8 * 3_600;

/** Returns a function that dates each record; it must receive the records in the order of the file. */
export function compileCalendar(
  rule: CalendarRule,
  columnOf: (header: string) => number,
): (input: TemplateInput) => Reading {
  const [dayColumn, monthColumn] = [columnOf(rule.day), columnOf(rule.month)];
  let year = rule.first_year;
  let last = 0;
  return ({ cells, record }) => {
    const month = monthOf(cells[monthColumn] ?? "");
    const day = Number(cells[dayColumn]);
    const start = utcDay(year + (month < last ? 1 : 0), month, day);
    if (month < 0 || new Date(start).getUTCMonth() !== month || new Date(start).getUTCDate() !== day) {
      return { code: "not_a_date", message: "the day and month are not a valid date" };
    }
    if (month < last) year += 1;
    last = month;
    const value = givenMoment(new Date(start + OPENS_MS + (record % OPEN_SECONDS) * 1_000));
    return value === undefined ? { code: "not_a_date", message: "is after the year 9999" } : { value };
  };
}

function monthOf(cell: string): number {
  const word = cell.trim().toLowerCase();
  return /^\d{1,2}$/.test(word) ? Number(word) - 1 : MONTHS.indexOf(word.slice(0, 3));
}
