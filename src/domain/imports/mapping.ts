import { type Static, Type } from "typebox";
import { malformed } from "../../core/refusal.ts";
import { faultFinder } from "../input-faults.ts";

const closed = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 500 });

/** One column: the field it fills, and what its cells stand for (`{"yes": "won"}`; "" makes a cell blank). */
const Column = Type.Object(
  { field: Text, values: Type.Optional(Type.Record(Type.String(), Type.String())) },
  closed,
);

/** A custom field that the import creates where the project lacks it. */
const Field = Type.Object(
  {
    label: Text,
    type: Type.Enum([
      "text",
      "integer",
      "number",
      "boolean",
      "date",
      "datetime",
      "email",
      "phone",
      "url",
      "enum",
    ]),
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
 * How the columns of a file become fields of leads. `columns`: header to field (`status`, `custom.age`), or
 * to a rule. `set`: field to text for every row, in which `{Header}` is the cell of that column and
 * `{record}` the record's number, from 1. Columns that are not named are skipped.
 */
export const Mapping = Type.Object(
  {
    columns: Type.Record(Type.String(), Type.Union([Text, Column])),
    set: Type.Optional(Type.Record(Type.String(), Type.String())),
    fields: Type.Optional(Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,62}$" }), Field)),
    calendar: Type.Optional(Calendar),
    events: Type.Optional(Type.Array(Events, { maxItems: 20 })),
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
  return input as Mapping;
}
