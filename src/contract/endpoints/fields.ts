import { Type } from "typebox";
import {
  CustomField,
  CustomFieldInput,
  CustomFieldList,
  CustomFieldPatch,
  StatusList,
  StatusListInput,
  UntrackedFields,
  UntrackedFieldsInput,
} from "../nouns/field.ts";
import { endpoint, json, nothing } from "./shared/endpoint.ts";

const usual = { tag: "fields", refusals: "v1" } as const;

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

export const listStatuses = endpoint({
  ...usual,
  id: "statuses.list",
  method: "GET",
  url: "/api/v1/statuses",
  summary: "List statuses",
  description: "In order; the first one is for new leads.",
  needs: "leads:read",
  answers: { 200: json(StatusList, "The statuses.") },
});

export const replaceStatuses = endpoint({
  ...usual,
  id: "statuses.replace",
  method: "PUT",
  url: "/api/v1/statuses",
  summary: "Replace the statuses",
  description:
    "Adds, removes, renames and orders them. 409 with a count while leads have a removed status, unless map gives " +
    "their new one.",
  needs: "schema:write",
  body: StatusListInput,
  examples: {
    order: { statuses: ["new", "contacted", "won", "lost"] },
    rename: { statuses: ["new", "in contact", "won", "lost"], map: { contacted: "in contact" } },
  },
  answers: { 200: json(StatusList, "The statuses as they are now.") },
  refused: [409],
});

export const listUntrackedFields = endpoint({
  ...usual,
  id: "untrackedFields.list",
  method: "GET",
  url: "/api/v1/quiet-fields",
  summary: "List untracked fields",
  description:
    "Standard fields whose changes do not appear on timelines. For a custom field, set timeline to false.",
  needs: "leads:read",
  answers: { 200: json(UntrackedFields, "The untracked fields.") },
});

export const replaceUntrackedFields = endpoint({
  ...usual,
  id: "untrackedFields.replace",
  method: "PUT",
  url: "/api/v1/quiet-fields",
  summary: "Replace the untracked fields",
  description: "The list replaces the former one; an empty list tracks every standard field.",
  needs: "schema:write",
  body: UntrackedFieldsInput,
  examples: { scores: { fields: ["score", "lifecycle_stage"] } },
  answers: { 200: json(UntrackedFields, "The untracked fields as they are now, sorted.") },
});
