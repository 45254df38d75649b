import { type Static, Type } from "typebox";
import { closed, noCursor, orNull, time, timeOrNull } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { endpoint, json, nothing, type Tag } from "../basics/endpoint.ts";
import { CUSTOM_FIELD_TYPES } from "../lists/column-types.ts";
import { type FieldType, OPERATORS, type Operator } from "../lists/operators.ts";

export const tag: Tag = { name: "fields", description: "The project's own fields and statuses." };

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

const CustomFieldList = Type.Object(
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

const usual = { tag, refusals: "v1" } as const;

const params = Type.Object({ key: Type.String({ description: "The field's key.", examples: ["plan"] }) });

export const listFields = endpoint({
  ...usual,
  id: "fields.list",
  method: "GET",
  url: "/api/v1/fields",
  summary: "List custom fields",
  description: "In order, all on one page. GET /api/v1/leads/fields includes standard fields.",
  needs: "leads:read",
  answers: { 200: json(CustomFieldList, "The custom fields.") },
});

export const createField = endpoint({
  ...usual,
  id: "fields.create",
  method: "POST",
  url: "/api/v1/fields",
  summary: "Create a custom field",
  description:
    "Adds a field to the project's leads, which have its values under custom.{key}. 409 if the key exists, or the " +
    "project has 200 custom fields.",
  needs: "schema:write",
  body: CustomFieldInput,
  examples: {
    enum: { key: "plan", label: "Plan", type: "enum", options: ["free", "gold"] },
    number: { key: "employees", label: "Employees", type: "integer", indexed: true },
  },
  answers: { 201: json(CustomField, "The field was created.", ["Location"]) },
  refused: [409],
});

export const getField = endpoint({
  ...usual,
  id: "fields.get",
  method: "GET",
  url: "/api/v1/fields/{key}",
  summary: "Read a custom field",
  needs: "leads:read",
  params,
  answers: { 200: json(CustomField, "The field.") },
  refused: [404],
});

export const updateField = endpoint({
  ...usual,
  id: "fields.update",
  method: "PATCH",
  url: "/api/v1/fields/{key}",
  summary: "Change a custom field",
  description:
    "Its key never changes. A new type, or fewer options, is 409 unless all values of leads fit; values that would be " +
    "written differently, such as a number as text, are rewritten.",
  needs: "schema:write",
  params,
  body: CustomFieldPatch,
  examples: {
    options: { options: ["free", "gold", "platinum"] },
    label: { label: "Subscription", position: 3 },
  },
  answers: { 200: json(CustomField, "The field as it is now.") },
  refused: [404, 409],
});

export const deleteField = endpoint({
  ...usual,
  id: "fields.delete",
  method: "DELETE",
  url: "/api/v1/fields/{key}",
  summary: "Delete a custom field",
  description:
    "409 while leads have a value or views use it, unless force=true: then the values are deleted permanently, too.",
  needs: "schema:write",
  params,
  query: Type.Object({
    force: Type.Optional(Type.Boolean({ description: "Whether values are deleted with the field." })),
  }),
  answers: { 204: nothing("The field was deleted.") },
  refused: [404, 409],
});
