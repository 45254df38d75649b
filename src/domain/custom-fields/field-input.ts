import { Type } from "typebox";
import { bad, cleanText } from "../values/bad-input.ts";

/** A custom field as its JSON text, out of a row called `f`. */
export const FIELD_JSON = `json_build_object('key', f.key, 'label', f.label, 'type', f.type, 'options', f.options,
  'description', f.description, 'timeline', f.timeline, 'position', f.position,
  'indexed', f.index_name IS NOT NULL, 'index_built_at', f.index_built_at, 'created_at', f.created_at)::text`;

/** What a custom field may hold. */
export const FIELD_TYPES = [
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
] as const;

export type FieldTypeName = (typeof FIELD_TYPES)[number];

export const FieldKey = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,59}$",
  description: "Values of leads stand under custom.<key>; a key never changes.",
});

export const FieldShape = {
  label: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.Enum([...FIELD_TYPES]),
  options: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 200,
    description: "The values of an enum; for no other type.",
  }),
  description: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]),
  timeline: Type.Boolean({ description: "Whether its changes are told on timelines; true where left out." }),
  indexed: Type.Boolean({
    description:
      "Numbers only: ranges and equal numbers of it find their page as fast among a million leads as among few. Each " +
      "value costs every write of its lead a little. false where left out; index_built_at tells since when it holds.",
  }),
  position: Type.Integer({
    minimum: -10_000,
    maximum: 10_000,
    description: "Its place in lists; 0 where left out.",
  }),
};

/** Refuses texts that PostgreSQL cannot hold, and a label without a letter. */
export function checkTexts(input: {
  label?: string;
  description?: string | null;
  options?: readonly string[];
}): void {
  if (input.label !== undefined && cleanText(input.label, "$.label").trim() === "")
    bad("$.label", "required", "must not be empty");
  if (typeof input.description === "string") cleanText(input.description, "$.description");
  input.options?.forEach((option, i) => {
    const text = cleanText(option, `$.options[${i}]`);
    if (text.trim() !== text || text === "")
      bad(`$.options[${i}]`, "white_space", "must not begin or end with white space");
  });
}

/** Only numbers have an order that is worth an index. */
export function checkIndexed(type: FieldTypeName, indexed: boolean): void {
  if (indexed && type !== "integer" && type !== "number")
    bad("$.indexed", "unexpected", "is for the types integer and number only");
}

/** An enum has options, each once; other types have none. */
export function checkOptions(type: FieldTypeName, options: readonly string[]): void {
  if (type !== "enum" && options.length > 0) bad("$.options", "unexpected", "are for the type enum only");
  if (type === "enum" && options.length === 0) bad("$.options", "required", "are required for the type enum");
  if (new Set(options).size < options.length) bad("$.options", "repeated", "must not name a value twice");
}
