import { type Static, type TSchema, Type } from "typebox";
import { closed, orNull } from "../basics/basics.ts";
import { constantOf } from "../basics/constants.ts";
import { IDENTITY_NAMES } from "../lists/identities.ts";
import type { InputType, LeadFieldEntry, WrittenLeadField } from "../lists/lead-fields.ts";
import { WRITABLE } from "../lists/written-fields.ts";
import type { CustomValue, ValueOf } from "./lead.ts";

type WrittenEntry = Extract<LeadFieldEntry, { name: WrittenLeadField }>;

/** The standard fields that callers write; null empties any but an enum. */
type Written = {
  [Entry in WrittenEntry as Entry["name"]]?: Entry extends { type: "enum" }
    ? string
    : ValueOf[Entry["type"]] | null;
};

/** A lead as callers write it. */
export interface LeadInput extends Written {
  custom?: Record<string, CustomValue | null>;
}

const text = (description?: string): TSchema =>
  Type.String({ maxLength: 500, ...(description === undefined ? {} : { description }) });
const list = (item: TSchema, description: string): TSchema =>
  Type.Array(item, { maxItems: 100, description });

const Phone = Type.String({
  maxLength: 40,
  description: "With its country code, or in the format of the project's country.",
});
const Email = Type.String({ maxLength: 254, format: "email" });

const SHAPES: Partial<Record<InputType, TSchema>> = {
  email: Email,
  phone: Phone,
  url: Type.String({ maxLength: 2_000 }),
  number: Type.Number(),
  boolean: Type.Boolean(),
  datetime: Type.String({
    description:
      "ISO 8601 with an offset, such as 2026-03-31T14:30:00+00:00; a date means the first instant of that day in the project's time zone.",
  }),
  list: list(Type.String({ minLength: 1, maxLength: 200 }), "Without duplicates."),
  emails: list(Email, "Further e-mail addresses."),
  phones: list(Phone, "Further phone numbers."),
  currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217." }),
  owner: text("The id of a member of the project."),
};

const Status = Type.String({
  minLength: 1,
  maxLength: 60,
  description:
    "One of the project's statuses; defaults to the first one for a new lead. It cannot be emptied.",
});

const fields = {
  ...Object.fromEntries(
    [...WRITABLE].map(([name, type]) => [
      name,
      Type.Optional(type === "enum" ? Status : orNull(SHAPES[type] ?? text())),
    ]),
  ),
  custom: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
      description: "Custom fields by key; omitted ones stay unchanged, null empties one.",
    }),
  ),
};

export const LeadInput = Type.Unsafe<LeadInput>(
  Type.Object(fields, {
    ...closed,
    $id: "LeadInput",
    description:
      "A lead to write. Absent fields stay unchanged, null empties a field, unknown fields are refused.",
    examples: [
      { external_id: "crm-17", name: "Ana Souza", email: "ana@example.org", status: "new", value: 1200 },
      { score: 80, lost_reason: null, custom: { plan: "gold" } },
    ],
  }),
);

/** A lead that is created: some fields can be written only then. */
export interface NewLead extends LeadInput {
  created_at?: string | null;
}

const newFields = {
  ...fields,
  created_at: Type.Optional(
    orNull(
      Type.String({
        description:
          "When the lead came in, for leads from another system: ISO 8601 with an offset, or a date; from 1970 and not in " +
          "the future. Defaults to now. It can be written only when the lead is created; an upsert that finds a lead keeps " +
          "that lead's.",
      }),
    ),
  ),
};

const EXAMPLE = {
  external_id: "crm-17",
  name: "Ana Souza",
  email: "ana@example.org",
  status: "new",
  value: 1200,
};

export const NewLead = Type.Unsafe<NewLead>(
  Type.Object(newFields, {
    ...closed,
    $id: "NewLead",
    description: "A lead to create. Unknown fields are refused.",
    examples: [EXAMPLE, { ...EXAMPLE, created_at: "2019-03-31T14:30:00+00:00" }],
  }),
);

/** A version that a caller has read. */
export const versionRead = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description }));

const read = versionRead("The version that the change is based on: 412 unless it is the lead's current one.");

const conditions = {
  if_version: versionRead(
    "412 unless a lead is found and this is its current version; the same as If-Match.",
  ),
  if_absent: Type.Optional(
    Type.Boolean({ description: "True: 412 if a lead is found; the same as If-None-Match: *." }),
  ),
};

/** A lead to find or to create among others, and under which conditions. */
export interface LeadToUpsert extends NewLead {
  if_version?: number;
  if_absent?: boolean;
}

export const LeadToUpsert = Type.Unsafe<LeadToUpsert>(
  Type.Object(
    { ...newFields, ...conditions },
    {
      ...closed,
      $id: "LeadToUpsert",
      description: "A lead to find or to create, and under which conditions.",
      examples: [EXAMPLE, { ...EXAMPLE, if_version: 3 }],
    },
  ),
);

/** What to change of a lead, and the version that the change is based on. */
export interface LeadPatch extends LeadInput {
  version?: number;
  reason?: string;
}

/** Why somebody clears or sets an opt-out. */
export const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description:
    "Why do_not_contact is changed, only with that field: kept with the change, and as data.reason of its event on the timeline.",
});

export const LeadPatch = Type.Unsafe<LeadPatch>(
  Type.Object(
    { ...fields, version: read, reason: Type.Optional(Reason) },
    {
      ...closed,
      $id: "LeadPatch",
      description:
        "What to change of a lead. Absent fields stay unchanged, null empties a field; version is the same as If-Match.",
      examples: [{ status: "contacted", lost_reason: null, version: 3 }],
    },
  ),
);

const id = Type.String({ description: "The lead's id, such as lead_01k3…" });

/** A lead among others, and what to change of it. */
export interface LeadToUpdate extends LeadPatch {
  id: string;
}

export const LeadToUpdate = Type.Unsafe<LeadToUpdate>(
  Type.Object(
    { id, ...fields, version: read },
    {
      ...closed,
      $id: "LeadToUpdate",
      description: "A lead, and what to change of it.",
      examples: [{ id: "lead_01m828fqhxe00brgv3qnb7cz65", score: 80 }],
    },
  ),
);

export const LeadToChange = Type.Object(
  { id, version: read },
  {
    ...closed,
    $id: "LeadToChange",
    description: "A lead that is changed like all items of the call.",
    examples: [{ id: "lead_01m828fqhxe00brgv3qnb7cz65", version: 3 }],
  },
);
export type LeadToChange = Static<typeof LeadToChange>;

const Identity = constantOf(IDENTITY_NAMES);

/** The identities to find a lead by, most reliable first. */
export const MatchOn = Type.Union([Identity, Type.Array(Identity, { minItems: 1, maxItems: 3 })], {
  $id: "MatchOn",
  description:
    "What to find the lead by, and nothing else, in this order. Without it, all identifiers are looked at together, and 409 says if they " +
    "belong to several leads.",
});
export type MatchOn = Static<typeof MatchOn>;

export const Fill = Type.Optional(
  Type.Boolean({ description: "Whether only what is empty in the lead that is found is written." }),
);

export const ClearOptOut = Type.Optional(
  Type.Boolean({
    description:
      "Whether do_not_contact: false clears the opt-out of a lead that has one. Default: false: the lead keeps it, and a warning says so.",
  }),
);

export const LeadUpsert = Type.Object(
  { match_on: Type.Optional(MatchOn), fill: Fill, clear_opt_out: ClearOptOut, lead: NewLead, ...conditions },
  { ...closed, $id: "LeadUpsert", description: "A lead to find or to create." },
);
