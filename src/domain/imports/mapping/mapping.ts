import { type Static, Type } from "typebox";
import { CUSTOM_FIELD_TYPES } from "../../../contract/lists/column-types.ts";
import { type Fault, malformed } from "../../../core/refusal.ts";
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
 * A column: its field, replacements of cell values (`{"yes": "won"}`; "" makes a cell blank), a prefix to remove,
 * and the style of its cells.
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

/** A custom field that the import creates if the project lacks it. */
const Field = Type.Object(
  {
    label: Text,
    type: Type.Enum(CUSTOM_FIELD_TYPES),
    options: Type.Optional(Type.Array(Text, { maxItems: 200 })),
  },
  closed,
);

/**
 * Dates records that are in order but only have day and month: the year starts with `first_year` and increases when
 * the month decreases. Times of day spread the records over working hours.
 */
const Calendar = Type.Object(
  { field: Text, day: Text, month: Text, first_year: Type.Integer({ minimum: 1, maximum: 9999 }) },
  closed,
);

/**
 * Events for the row's lead, as many as the column `times` says (else one), numbered `{n}`. The last is at the time
 * in the field `last`, each other `hours_apart` before the next; `first` names a field that receives the first's
 * time. `key` prevents duplicates when imported again.
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
 * Maps a file's columns (`columns`: header to field, such as `custom.age`, or to a rule; others are skipped) and
 * gives every row texts (`set`: field to text with `{Header}` for a cell and `{record}` for the record's number
 * from 1). The field `id` finds a lead by id, `_id` a dataset row.
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

/** Reads a mapping from parsed JSON; refuses faults with their JSON paths. */
export function readMapping(input: unknown): Mapping {
  const faults = faultsIn(input);
  if (faults.length > 0) throw malformed(faults);
  const mapping = input as Mapping;
  checkTexts(mapping);
  return mapping;
}

/** Refuses text in a mapping that PostgreSQL cannot store. */
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
