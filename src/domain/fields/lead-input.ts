import { type TSchema, Type } from "typebox";
import type { InputType } from "../../contract/lists/lead-fields.ts";
import { WRITABLE } from "../../contract/lists/written-fields.ts";
import type { Value } from "../values/value.ts";

const text = (description?: string): TSchema =>
  Type.String({ maxLength: 500, ...(description === undefined ? {} : { description }) });
const list = (description: string): TSchema =>
  Type.Array(Type.String({ maxLength: 500 }), { maxItems: 100, description });

const SHAPES: Partial<Record<InputType, TSchema>> = {
  email: Type.String({ maxLength: 254, format: "email" }),
  phone: Type.String({
    maxLength: 40,
    description: "With its country code, or in the format of the project's country.",
  }),
  url: Type.String({ maxLength: 2_000 }),
  number: Type.Number(),
  boolean: Type.Boolean(),
  datetime: Type.String({
    description:
      "ISO 8601 with an offset, such as 2026-03-31T14:30:00+00:00; a date means midnight in the project's time zone.",
  }),
  enum: text("One of the project's statuses; defaults to the first one for a new lead."),
  list: list("Without duplicates, each at most 200 characters."),
  emails: list("Further e-mail addresses."),
  phones: list("Further phone numbers."),
  currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217." }),
  owner: text("The id of a member of the project."),
};

const CustomValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

/** A lead as callers write it. Absent fields stay unchanged, null empties a field, unknown fields are refused. */
export const LeadInput = Type.Object(
  {
    ...Object.fromEntries(
      [...WRITABLE].map(([name, type]) => [
        name,
        Type.Optional(Type.Union([SHAPES[type] ?? text(), Type.Null()])),
      ]),
    ),
    custom: Type.Optional(
      Type.Record(Type.String(), CustomValue, {
        description: "Custom fields by key; omitted ones stay unchanged.",
      }),
    ),
  },
  { additionalProperties: false },
);

/** What to write to a lead, by field; null empties one. `custom` holds the custom fields that change. */
export interface LeadPatch {
  [field: string]: Value | null | CustomPatch | undefined;
  custom?: CustomPatch;
}

/** Custom fields by key; null empties one. */
export type CustomPatch = Record<string, Value | null>;
