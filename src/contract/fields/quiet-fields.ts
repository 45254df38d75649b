import { Type } from "typebox";
import { closed, noCursor } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { endpoint, json } from "../basics/endpoint.ts";
import type { WrittenLeadField } from "../lists/lead-fields.ts";
import { WRITABLE } from "../lists/written-fields.ts";
import { tag } from "./fields.ts";

const WrittenField = oneOf([...WRITABLE.keys()] as WrittenLeadField[], {
  $id: "WrittenField",
  description: "A standard field that callers can write.",
});

const UntrackedFields = Type.Object(
  { fields: Type.Array(WrittenField), next_cursor: noCursor },
  { $id: "UntrackedFields", description: "Standard fields whose changes do not appear on timelines." },
);

const UntrackedFieldsInput = Type.Object(
  { fields: Type.Array(WrittenField, { maxItems: 100 }) },
  { ...closed, $id: "UntrackedFieldsInput", description: "The fields that shall be untracked." },
);

const usual = { tag, refusals: "v1" } as const;

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
