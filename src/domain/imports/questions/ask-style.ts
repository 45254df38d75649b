import type { ColumnRule } from "../../../contract/imports/import-mapping.ts";
import { DATE_ORDERS, type DateOrder, DECIMALS, sureStyle } from "../../../contract/lists/files.ts";
import { readDate } from "../../values/cell-dates.ts";
import { readNumber } from "../../values/cell-numbers.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { fileDecimals } from "../mapping/column-style.ts";
import { type Ask, type Asking, ask, choice, cut } from "./ask.ts";

const isOpen = (found: string | null): boolean => found === "ambiguous" || found === "mixed";

const ORDERS: Readonly<Record<DateOrder, string>> = { dmy: "Day first", mdy: "Month first" };
const MARKS = { point: "A point separates decimals", comma: "A comma separates decimals" } as const;

/** Asks how dates and numbers are written that can be read in two ways. */
export function askStyles({ draft, columns, target }: Asking): Ask[] {
  return columns.flatMap((column) => {
    const rule = draft.rules.get(column.name);
    const type = rule && target.fields.get(rule.field)?.type;
    if (rule === undefined || type === undefined) return [];
    if ((type === "date" || type === "datetime") && isOpen(column.dates)) {
      if ((rule.dates ?? draft.rest.dates) !== undefined) return [];
      return [askDates(column, rule, column.dates === "ambiguous" ? datesOf(columns) : undefined)];
    }
    if ((type === "number" || type === "integer") && isOpen(column.decimals)) {
      const ofOthers = column.decimals === "ambiguous" ? fileDecimals(columns) : undefined;
      if ((rule.decimals ?? draft.rest.decimals ?? ofOthers) !== undefined) return [];
      return [askDecimals(column, rule)];
    }
    // Programs write 1.500 for decimals, people for thousands, where a comma separates decimals.
    const isThousands = rule.field === "value" && target.rows === null && column.decimals === null;
    if (
      isThousands &&
      (rule.decimals ?? draft.rest.decimals) === undefined &&
      areThousands(column, target.country)
    )
      return [{ ...askDecimals(column, rule), unasked: "point" }];
    return [];
  });
}

const THOUSANDS = /^\D*[1-9]\d{0,2}\.\d{3}\D*$/;

/** Whether all amounts of a column look like thousands in a country that writes decimals with a comma. */
function areThousands({ samples }: ColumnProfile, country: string | null): boolean {
  if (country === null || samples.length === 0 || !samples.every((sample) => THOUSANDS.test(sample)))
    return false;
  const { baseName } = new Intl.Locale("und", { region: country }).maximize();
  return new Intl.NumberFormat(baseName).format(1.5).includes(",");
}

/** The order that all unambiguous columns of dates have. */
function datesOf(columns: readonly ColumnProfile[]): DateOrder | undefined {
  const shown = new Set(
    columns.map(({ dates }) => dates).filter((dates) => dates !== null && dates !== "ambiguous"),
  );
  const [only] = shown;
  return shown.size === 1 ? sureStyle<DateOrder>(only) : undefined;
}

function askDates(column: ColumnProfile, rule: ColumnRule, ofOthers: DateOrder | undefined): Ask {
  const { name, samples } = column;
  return ask("date_order", `date_order:${name}`, {
    columns: [name],
    examples: samples.map(cut),
    message: `"${name}" has ambiguous dates, such as ${samples[0] ?? ""}. Set "dates" to "dmy" or "mdy".`,
    choices: DATE_ORDERS.map((order) =>
      choice(
        order,
        ORDERS[order],
        samples.map((sample) => {
          const read = readDate(sample, order);
          return `${sample} = ${read === undefined ? "?" : new Date(read.at).toISOString().slice(0, 10)}`;
        }),
      ),
    ),
    default: ofOthers ?? null,
    blocking: ofOthers === undefined,
    apply(order) {
      rule.dates = order === "mdy" ? "mdy" : "dmy";
    },
  });
}

function askDecimals({ name, samples }: ColumnProfile, rule: ColumnRule): Ask {
  return ask("decimals", `decimals:${name}`, {
    columns: [name],
    examples: samples.map(cut),
    message: `"${name}" has ambiguous numbers, such as ${samples[0] ?? ""}. Set "decimals" to "point" or "comma".`,
    choices: DECIMALS.map((mark) =>
      choice(
        mark,
        MARKS[mark],
        samples.map((sample) => `${sample} = ${readNumber(sample, mark) ?? "?"}`),
      ),
    ),
    default: null,
    blocking: true,
    apply(mark) {
      rule.decimals = mark === "comma" ? "comma" : "point";
    },
  });
}
