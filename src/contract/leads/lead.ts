import { type TSchema, Type } from "typebox";
import { nextCursor, orNull, Relation, time, version } from "../basics/basics.ts";
import type { Tag } from "../basics/endpoint.ts";
import { PageInfo } from "../basics/page-info.ts";
import { Row } from "../datasets/row.ts";
import { LEAD_FIELDS, type LeadField, type LeadFieldEntry } from "../lists/lead-fields.ts";
import type { FieldType } from "../lists/operators.ts";

export const tag: Tag = { name: "leads", description: "Search, count, read, write and change leads." };

/** The value of a custom field. */
export type CustomValue = string | number | boolean;

/** The value of a field of each type, unless it is null. */
export interface ValueOf {
  text: string;
  email: string;
  phone: string;
  number: number;
  boolean: boolean;
  enum: string;
  id: string;
  tags: string[];
  date: string;
  object: Record<string, CustomValue>;
}

/** Fields that are never null: those that every lead has, lists, and the custom fields. */
type NeverNull = { required: true } | { type: "tags" | "object" };

/** The standard fields of a lead with their values. */
type Fields = {
  [Entry in LeadFieldEntry as Entry["name"]]: Entry extends NeverNull
    ? ValueOf[Entry["type"]]
    : ValueOf[Entry["type"]] | null;
};

/** The newest rows of one dataset that are linked to a lead. */
interface LinkedRows {
  rows: Row[];
  has_more: boolean;
}

/** A lead as the API returns it. */
export type Lead = Fields & {
  /** Only if `include` names datasets; by the dataset's key. */
  datasets?: Record<string, LinkedRows>;
  /** Only if `include` names it. */
  status_since?: string;
};

/** A lead of a page, which has only the fields that the query named. */
export type LeadPart = Pick<Lead, "id"> & Partial<Lead>;

/** What a caller sees of a lead that it may write but not read. */
export type LeadReceipt = Pick<Lead, Extract<LeadFieldEntry, { shownToWriters: true }>["name"]>;

const SHAPES: Record<FieldType, TSchema> = {
  text: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  number: Type.Number(),
  boolean: Type.Boolean(),
  enum: Type.String(),
  id: Type.String(),
  tags: Type.Array(Type.String()),
  date: time,
  object: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description: "Custom fields by key; those without a value are left out.",
  }),
};

/** Fields that are more than their type says. */
const OWN_SHAPES: Partial<Record<LeadField["name"], TSchema>> = {
  id: Type.String({ description: "lead_ and 26 characters." }),
  status: Type.String({ description: "One of the project's statuses." }),
  display_name: Type.String({
    description: "What the lead is shown by: name unless that is blank, else first_name and last_name.",
  }),
  phone_e164: Type.String({ description: "The phone number in E.164, if it is one." }),
  owner_id: Type.String({ description: "The id of a member of the project." }),
  version,
  merged_into_id: Type.String({ description: "The surviving lead, if this one was merged into it." }),
};

function shapeOf({ name, type, required }: LeadField): TSchema {
  const shape = OWN_SHAPES[name] ?? SHAPES[type];
  return required === true || type === "tags" || type === "object" ? shape : orNull(shape);
}

const fields = Object.fromEntries(LEAD_FIELDS.map((field) => [field.name, shapeOf(field)]));

const included = {
  datasets: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object(
        { rows: Type.Array(Row), has_more: Type.Boolean() },
        {
          $id: "LinkedRows",
          description: "The newest 20 rows of a dataset that are linked to a lead, newest first.",
        },
      ),
      { description: "By the dataset's key; only if include names datasets." },
    ),
  ),
  status_since: Type.Optional(
    Type.String({
      format: "date-time",
      description: "When the lead got its status; only if include names status_since.",
    }),
  ),
};

const EXAMPLE = {
  ...Object.fromEntries(LEAD_FIELDS.map(({ name, blank }) => [name, blank ?? null])),
  id: "lead_01m828fqhxe00brgv3qnb7cz65",
  external_id: "crm-17",
  name: "Ana Souza",
  display_name: "Ana Souza",
  email: "ana@example.org",
  phone: "+55 11 91234-5678",
  phone_e164: "+5511912345678",
  company: "Souza Ltda",
  status: "new",
  score: 50,
  value: 1200,
  currency: "BRL",
  tags: ["vip"],
  source: "website",
  custom: { plan: "gold" },
  version: 1,
  created_at: "2026-03-31T14:30:00.123456+00:00",
  updated_at: "2026-03-31T14:30:00.123456+00:00",
};

/** A lead without an envelope; an absent value is null. */
export const Lead = Type.Unsafe<Lead>(
  Type.Object(
    { ...fields, ...included },
    { $id: "Lead", description: "A lead with all its fields; an absent value is null.", examples: [EXAMPLE] },
  ),
);

const { id, name, status, score } = EXAMPLE;

export const LeadPart = Type.Unsafe<LeadPart>(
  Type.Object(
    { ...Type.Partial(Type.Object(fields)).properties, id: fields.id ?? Type.String(), ...included },
    {
      $id: "LeadPart",
      description:
        "A lead of a page. With fields in the query, it has only those, and id; a field that it has is null if it has no " +
        "value.",
      examples: [EXAMPLE, { id, name, status, score }],
    },
  ),
);

const receipt = LEAD_FIELDS.filter(({ shownToWriters }) => shownToWriters);
const { version: first } = EXAMPLE;

export const LeadReceipt = Type.Unsafe<LeadReceipt>(
  Type.Object(Object.fromEntries(receipt.map((field) => [field.name, shapeOf(field)])), {
    $id: "LeadReceipt",
    description: "What a key that may write leads, but not read them, sees of a lead that it has written.",
    examples: [{ id, version: first }],
  }),
);

export const WrittenLead = Type.Union([Lead, LeadReceipt], {
  $id: "WrittenLead",
  description: "The lead as it is now; only its receipt for a key that may not read leads.",
});

/** Says nothing of what is stored: neither whether the lead was known nor which it is. */
export const LeadAccepted = Type.Object(
  { accepted: Type.Literal(true) },
  {
    $id: "LeadAccepted",
    description: "What a key that may only create leads sees of an upsert or an event, whatever is stored.",
    examples: [{ accepted: true }],
  },
);

export const LeadPage = Type.Object(
  { leads: Type.Array(LeadPart), page_info: PageInfo },
  { $id: "LeadPage", description: "One page of leads by offset." },
);

export const LeadSearchPage = Type.Object(
  {
    leads: Type.Array(LeadPart),
    next_cursor: nextCursor,
    total: Type.Optional(
      Type.Integer({
        description: "Only if the query asks for it: exact up to 10,000, unless total is exact.",
      }),
    ),
    total_relation: Type.Optional(Relation),
    similar: Type.Optional(
      Type.Literal(true, {
        description:
          "Only by relevance: no lead has all words; these have words with one letter wrong, missing, too many or swapped.",
      }),
    ),
  },
  { $id: "LeadSearchPage", description: "One page of leads by cursor." },
);
