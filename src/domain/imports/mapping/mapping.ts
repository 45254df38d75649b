import { type Static, Type } from "typebox";
import { type Fault, malformed } from "../../../core/refusal.ts";
import { FIELD_TYPES } from "../../custom-fields/field-input.ts";
import { MODES } from "../../datasets/rows/write-rows.ts";
import { faultFinder } from "../../operation/input-faults.ts";
import { unstorable } from "../../values/value.ts";

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 500 });

const style = {
  dates: Type.Optional(
    Type.Enum(["dmy", "mdy"], {
      description: "The order of numeric dates that do not start with the year.",
    }),
  ),
  decimals: Type.Optional(Type.Enum(["point", "comma"], { description: "The decimal separator." })),
};

/**
 * One column: the field it fills, what its cells stand for (`{"yes": "won"}`; "" makes a cell blank), a prefix that is
 * taken off them, and how they are written.
 */
const Column = Type.Object(
  {
    field: Text,
    values: Type.Optional(Type.Record(Type.String(), Type.String())),
    prefix: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
    ...style,
  },
  closed,
);

/** A custom field that the import creates where the project lacks it. */
const Field = Type.Object(
  {
    label: Text,
    type: Type.Enum([...FIELD_TYPES]),
    options: Type.Optional(Type.Array(Text, { maxItems: 200 })),
  },
  closed,
);

/**
 * A time for files whose rows are in order but carry only day and month: the year begins with `first_year`
 * and goes up whenever the month goes back. The time of day spreads the records over working hours.
 */
const Calendar = Type.Object(
  { field: Text, day: Text, month: Text, first_year: Type.Integer({ minimum: 1, maximum: 9999 }) },
  closed,
);

/**
 * Events on the timeline of the row's lead, as many as the column `times` says (one without it), numbered
 * `{n}`. The last one happens at the time in the field `last`, each other `hours_apart` before the next;
 * `first` names a field that takes the time of the first. `key` makes an event the same when imported again.
 */
const Events = Type.Object(
  {
    type: Type.String({ pattern: "^[a-z_]+\\.[a-z_]+$", maxLength: 100 }),
    title: Text,
    key: Text,
    times: Type.Optional(Text),
    last: Text,
    hours_apart: Type.Optional(Type.Number({ minimum: 0 })),
    first: Type.Optional(Text),
    data: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  closed,
);

/**
 * How the columns of a file become fields of leads, or columns of a dataset. `columns`: header to field (`status`, `custom.age`), or
 * to a rule. `set`: field to text for every row, in which `{Header}` is the cell of that column and
 * `{record}` the record's number, from 1. Columns that are not named are skipped. The field `id` finds a lead by its id, `_id`
 * a row.
 */
export const Mapping = Type.Object(
  {
    columns: Type.Record(Type.String(), Type.Union([Text, Column])),
    set: Type.Optional(Type.Record(Type.String(), Type.String())),
    fields: Type.Optional(Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,62}$" }), Field)),
    calendar: Type.Optional(Calendar),
    events: Type.Optional(Type.Array(Events, { maxItems: 20 })),
    ...style,
    skip_rows: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Rows with a cell that starts with this are skipped.",
      }),
    ),
    mode: Type.Optional(
      Type.Enum([...MODES], {
        description:
          "For rows of a dataset. Default: upsert if rows can be found by a key, otherwise insert.",
      }),
    ),
  },
  closed,
);
export type Mapping = Static<typeof Mapping>;
export type EventRule = Static<typeof Events>;
export type CalendarRule = Static<typeof Calendar>;

const faultsIn = faultFinder(Mapping);

/** Reads a mapping from parsed JSON; throws a refusal with the JSON path of each fault. */
export function readMapping(input: unknown): Mapping {
  const faults = faultsIn(input);
  if (faults.length > 0) throw malformed(faults);
  const mapping = input as Mapping;
  checkTexts(mapping);
  return mapping;
}

/** Refuses texts of a mapping that PostgreSQL cannot hold. */
export function checkTexts(mapping: Mapping): void {
  const faults = faultsOfTexts(mapping, "$");
  if (faults.length > 0) throw malformed(faults.slice(0, 20));
}

function faultsOfTexts(value: unknown, path: string): Fault[] {
  if (typeof value === "string") {
    const fault = unstorable(value);
    return fault === undefined ? [] : [{ path, ...fault }];
  }
  if (Array.isArray(value)) return value.flatMap((each, i) => faultsOfTexts(each, `${path}[${i}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    unstorable(key) === undefined ? faultsOfTexts(inner, `${path}.${key}`) : faultsOfTexts(key, path),
  );
}
