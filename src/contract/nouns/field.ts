import { type Static, Type } from "typebox";
import { CUSTOM_FIELD_TYPES } from "../lists/column-types.ts";
import type { WrittenLeadField } from "../lists/lead-fields.ts";
import { type FieldType, OPERATORS, type Operator } from "../lists/operators.ts";
import { WRITABLE } from "../lists/written-fields.ts";
import { closed, noCursor, orNull, time, timeOrNull } from "./basics/basics.ts";
import { oneOf } from "./basics/constants.ts";

/** A field of a lead as builders of filters need it. */
export const Field = Type.Object(
  {
    name: Type.String({ description: "The name in filters; custom.{key} for a custom field." }),
    label: Type.String(),
    type: oneOf(Object.keys(OPERATORS) as FieldType[], {
      $id: "FieldType",
      description: "What the field holds, which decides its operators.",
    }),
    operators: Type.Array(
      oneOf([...new Set(Object.values(OPERATORS).flat())] as Operator[], {
        $id: "Operator",
        description: "How a filter compares the field with a value.",
      }),
    ),
    options: orNull(Type.Array(Type.String(), { description: "The allowed values, if there is a list." })),
    custom: Type.Boolean({ description: "Whether it is a custom field of the project." }),
    required: Type.Boolean({ description: "Whether every lead has a value." }),
    sortable: Type.Boolean(),
    groupable: Type.Boolean(),
    writable: Type.Boolean({ description: "Whether callers can write it; the service sets the others." }),
  },
  {
    $id: "Field",
    description: "A field of the project's leads, standard or custom.",
    examples: [
      {
        name: "status",
        label: "Status",
        type: "enum",
        operators: ["eq", "neq", "in", "not_in", "is_empty", "is_not_empty"],
        options: ["new", "contacted", "won", "lost"],
        custom: false,
        required: true,
        sortable: true,
        groupable: true,
        writable: true,
      },
    ],
  },
);
export type Field = Static<typeof Field>;

export const FieldList = Type.Object(
  { fields: Type.Array(Field), next_cursor: noCursor },
  { $id: "FieldList", description: "Every field of the project's leads: standard fields, then custom ones." },
);

const FieldKey = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,59}$",
  description: "Leads have its values under custom.{key}; a key never changes.",
});

/** What can change of a custom field. */
const definition = {
  label: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.Enum(CUSTOM_FIELD_TYPES, { $id: "CustomFieldType", description: "What the values are." }),
  options: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 200,
    description: "The allowed values of an enum; for no other type.",
  }),
  description: orNull(Type.String({ maxLength: 1_000 })),
  timeline: Type.Boolean({ description: "Whether its changes appear on timelines; defaults to true." }),
  indexed: Type.Boolean({
    description:
      "Numbers only: makes filters by range and by equal number fast, however many leads there are. Each " +
      "value makes writes of its lead a little slower. Default: false. index_built_at is when the index was built.",
  }),
  position: Type.Integer({
    minimum: -10_000,
    maximum: 10_000,
    description: "Its position in lists; defaults to 0.",
  }),
};

export const CustomField = Type.Object(
  { key: FieldKey, ...definition, index_built_at: timeOrNull, created_at: time },
  {
    $id: "CustomField",
    description: "A field that the project added to its leads.",
    examples: [
      {
        key: "plan",
        label: "Plan",
        type: "enum",
        options: ["free", "gold"],
        description: "The plan that the customer asked for.",
        timeline: true,
        position: 0,
        indexed: false,
        index_built_at: null,
        created_at: "2026-03-31T14:30:00.123456+00:00",
      },
    ],
  },
);
export type CustomField = Static<typeof CustomField>;

export const CustomFieldList = Type.Object(
  { fields: Type.Array(CustomField), next_cursor: noCursor },
  { $id: "CustomFieldList" },
);

const { label, type, ...others } = definition;

export const CustomFieldInput = Type.Object(
  { key: FieldKey, label, type, ...Type.Partial(Type.Object(others)).properties },
  { ...closed, $id: "CustomFieldInput", description: "A custom field to create." },
);
export type CustomFieldInput = Static<typeof CustomFieldInput>;

export const CustomFieldPatch = Type.Partial(Type.Object(definition), {
  ...closed,
  $id: "CustomFieldPatch",
  description: "What to change of a custom field; omitted members stay unchanged.",
});
export type CustomFieldPatch = Static<typeof CustomFieldPatch>;

const Status = Type.String({ minLength: 1, maxLength: 60 });

export const StatusList = Type.Object(
  { statuses: Type.Array(Type.String()), next_cursor: noCursor },
  {
    $id: "StatusList",
    description: "The statuses of the project's leads, in order.",
    examples: [{ statuses: ["new", "contacted", "won", "lost"], next_cursor: null }],
  },
);
export type StatusList = Static<typeof StatusList>;

export const StatusListInput = Type.Object(
  {
    statuses: Type.Array(Status, { minItems: 1, maxItems: 50, description: "All statuses, in order." }),
    map: Type.Optional(
      Type.Record(Type.String(), Status, {
        description: "The new status for leads of each removed status: {old: new}.",
      }),
    ),
  },
  { ...closed, $id: "StatusListInput", description: "The statuses that the project shall have." },
);
export type StatusListInput = Static<typeof StatusListInput>;

const WrittenField = oneOf([...WRITABLE.keys()] as WrittenLeadField[], {
  $id: "WrittenField",
  description: "A standard field that callers can write.",
});

export const UntrackedFields = Type.Object(
  { fields: Type.Array(WrittenField), next_cursor: noCursor },
  { $id: "UntrackedFields", description: "Standard fields whose changes do not appear on timelines." },
);

export const UntrackedFieldsInput = Type.Object(
  { fields: Type.Array(WrittenField, { maxItems: 100 }) },
  { ...closed, $id: "UntrackedFieldsInput", description: "The fields that shall be untracked." },
);
