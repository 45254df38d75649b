import { type Static, Type } from "typebox";
import { closed } from "../basics/basics.ts";
import { CUSTOM_FIELD_TYPES } from "../lists/column-types.ts";
import { ROW_MODES } from "../lists/datasets.ts";
import { DATE_ORDERS, DECIMALS } from "../lists/files.ts";

const Text = Type.String({ minLength: 1, maxLength: 500 });

const style = {
  dates: Type.Optional(
    Type.Enum(DATE_ORDERS, { description: "The order of numeric dates that do not start with the year." }),
  ),
  decimals: Type.Optional(Type.Enum(DECIMALS, { description: "The decimal separator." })),
};

/** How one column becomes a field. */
export const ColumnRule = Type.Object(
  {
    field: Text,
    values: Type.Optional(Type.Record(Type.String(), Type.String())),
    prefix: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
    calling_code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "Of a phone: the column that has the calling code of its numbers.",
      }),
    ),
    currency: Type.Optional(
      Type.String({
        pattern: "^([A-Z]{3}|signs)$",
        description:
          "Of value: the currency of its amounts, or signs if each amount has the sign of its own.",
      }),
    ),
    codes: Type.Optional(
      Type.Boolean({
        description:
          "Of country: whether names of countries, in many languages, become their codes (ISO 3166).",
      }),
    ),
    filled: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "What every filled cell stands for, such as true for a column with the date of a bounce.",
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 60,
        description: "Of times without an offset: their time zone, such as UTC. Default: the project's.",
      }),
    ),
    without: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: "Of a list: entries that start with this are left out.",
      }),
    ),
    unknown: Type.Optional(
      Type.Enum(["fail", "blank"], {
        description:
          "What happens to a value that is not an option of the field, or not a member: its row fails, or the field stays " +
          "blank. Default: fail.",
      }),
    ),
    ...style,
  },
  {
    $id: "ColumnRule",
    ...closed,
    description:
      'A column: its field, replacements of cell values ({"yes": "won"}; "" makes a cell blank), a prefix to remove, ' +
      "and the style of its cells.",
  },
);
export type ColumnRule = Static<typeof ColumnRule>;

const MappingField = Type.Object(
  {
    label: Text,
    type: Type.Enum(CUSTOM_FIELD_TYPES),
    options: Type.Optional(Type.Array(Text, { maxItems: 200 })),
  },
  {
    $id: "MappingField",
    ...closed,
    description:
      "A custom field that the commit creates if the project lacks it and a column fills it, which needs schema:write.",
  },
);

const CalendarRule = Type.Object(
  { field: Text, day: Text, month: Text, first_year: Type.Integer({ minimum: 1, maximum: 9999 }) },
  {
    $id: "CalendarRule",
    ...closed,
    deprecated: true,
    description:
      "Dates records that are in order but only have day and month: the year starts with first_year and increases when " +
      "the month decreases. Times of day spread the records over working hours.",
  },
);
export type CalendarRule = Static<typeof CalendarRule>;

const EventRule = Type.Object(
  {
    type: Type.String({ pattern: "^[a-z_]+\\.[a-z_]+$", maxLength: 100 }),
    title: Text,
    key: Text,
    times: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        deprecated: true,
        description: "A column with the number of events.",
      }),
    ),
    last: Text,
    hours_apart: Type.Optional(
      Type.Number({ minimum: 0, deprecated: true, description: "The hours between two of several events." }),
    ),
    first: Type.Optional(Text),
    data: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  {
    $id: "EventRule",
    ...closed,
    description:
      "An event for the row's lead, at the time in the field last; first names a field that receives it as well. key " +
      "prevents duplicates when imported again.",
  },
);
export type EventRule = Static<typeof EventRule>;

/** How the columns of a file become fields of leads, or columns of a dataset. */
export const ImportMapping = Type.Object(
  {
    columns: Type.Record(Type.String(), Type.Union([Text, ColumnRule])),
    set: Type.Optional(Type.Record(Type.String(), Type.String())),
    fields: Type.Optional(Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,62}$" }), MappingField)),
    options: Type.Optional(
      Type.Record(Type.String(), Type.Array(Text, { minItems: 1, maxItems: 200 }), {
        description:
          "By field (status, or a custom field with options): options that the commit adds if they are missing, which needs schema:write.",
      }),
    ),
    identify: Type.Optional(
      Type.Array(Text, {
        minItems: 1,
        maxItems: 5,
        description:
          "For leads: columns whose cells, joined, become the external id of a row that has no id, external id, e-mail or phone.",
      }),
    ),
    skip_unidentified: Type.Optional(
      Type.Boolean({
        description:
          "For leads: whether rows without id, external id, e-mail and phone are skipped. Default: false.",
      }),
    ),
    calendar: Type.Optional(CalendarRule),
    events: Type.Optional(Type.Array(EventRule, { maxItems: 20 })),
    ...style,
    skip_rows: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Rows with a cell that starts with this are skipped.",
      }),
    ),
    skip_if: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100 }),
        {
          description:
            'By column: rows with one of these values there, in any case, are skipped, such as {"Is test": ["true"]}.',
        },
      ),
    ),
    opt_out_if: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100 }),
        {
          description:
            'For leads, by column: rows with one of these values there, in any case, opt out, such as {"Stage": ["Do not contact"]}.',
        },
      ),
    ),
    fill: Type.Optional(
      Type.Boolean({
        description:
          "For leads: whether only what is empty in a lead that is found is written. Default: false.",
      }),
    ),
    clear_opt_out: Type.Optional(
      Type.Boolean({
        description:
          "For leads: whether a row that says false in do_not_contact, or that a person did not opt out, clears the opt-out " +
          "of its lead. Default: false.",
      }),
    ),
    mode: Type.Optional(
      Type.Enum(ROW_MODES, {
        description:
          "insert only creates, update only changes, upsert does both. Rows of leads that it does not allow are skipped, but an " +
          "opt-out is always written; rows of a dataset fail. Default: upsert, for a dataset only if rows can be found by a key.",
      }),
    ),
  },
  {
    $id: "ImportMapping",
    ...closed,
    description:
      "Maps a file's columns (columns: header to field, such as custom.age, or to a rule; others are skipped) and gives " +
      "every row texts (set: field to text with {Header} for a cell and {record} for the record's number from 1). The " +
      "field id finds a lead by id, _id a dataset row. Of leads, opt_out takes whether a person opted out (withdrawn, " +
      "do_not_contact, none, or a program's words for these) and opt_out_at since when, and note a text for the timeline. " +
      "Several columns may fill opt_out, do_not_contact, note, emails, phones and tags.",
  },
);
export type ImportMapping = Static<typeof ImportMapping>;
