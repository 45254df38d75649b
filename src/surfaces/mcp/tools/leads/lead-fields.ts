import { type TSchema, Type } from "typebox";
import type { InputType } from "../../../../contract/lists/lead-fields.ts";
import { WRITABLE } from "../../../../contract/lists/written-fields.ts";
import type { Fault } from "../../../../core/refusal.ts";
import { labelOf } from "../../../../domain/fields/field-label.ts";
import { NO_PROJECT_SCHEMA } from "../../../../domain/fields/project-schema.ts";
import { exactly, open } from "../shared/words.ts";

/** The JSON schema of a field type that is not a short string. */
const SHAPES: Partial<Record<InputType, (label: string) => TSchema>> = {
  number: (label) => Type.Number({ description: label }),
  integer: (label) => Type.Integer({ description: label }),
  boolean: (label) => Type.Boolean({ description: label }),
  list: (label) => texts(`${label}: the whole list.`),
  emails: () => texts("Further e-mail addresses: the whole list."),
  phones: () => texts("Further phone numbers: the whole list."),
  url: (label) => Type.String({ maxLength: 2_000, description: label }),
  datetime: (label) => short(`${label}: ISO 8601 with offset.`),
  enum: () => short("One of the project's statuses; a new lead gets the first by default."),
  phone: () => short("With its country code, or as used in the project's country."),
  currency: () => short("ISO 4217, such as EUR."),
  owner: () => short("The id of a member of the project, per_…"),
};

const short = (description: string) => Type.String({ maxLength: 500, description });
const texts = (description: string) =>
  Type.Array(Type.String({ maxLength: 500 }), { maxItems: 100, description });

/** The writable fields of a lead, each with its type; fields are cleared by another argument. */
export const LeadFields = exactly(
  {
    ...Object.fromEntries(
      [...WRITABLE].map(([name, type]) => {
        const label = labelOf({ name }, NO_PROJECT_SCHEMA, "en");
        return [name, Type.Optional((SHAPES[type] ?? short)(label))];
      }),
    ),
    custom: Type.Optional(open("Custom fields by key; omitted ones stay unchanged.")),
  },
  "Fields by name. Omitted ones stay unchanged.",
);

export const Clear = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
  description: "Fields to empty.",
});

const CUSTOM = "custom.";

/** Longer names are cut in error paths. */
const NAMED = 60;

interface Patch {
  /** An object that matches LeadFields. */
  set?: unknown;
  clear?: string[] | undefined;
}

/** Returns what is set and cleared as one merge patch. */
export function toPatch({ set: given = {}, clear = [] }: Patch): Record<string, unknown> {
  const set = given as Record<string, unknown>;
  const own = clear.filter((name) => !name.startsWith(CUSTOM));
  const custom = clear.filter((name) => name.startsWith(CUSTOM)).map((name) => name.slice(CUSTOM.length));
  return {
    ...set,
    ...Object.fromEntries(own.map((name) => [name, null])),
    ...(custom.length === 0
      ? {}
      : { custom: { ...(set.custom as object), ...Object.fromEntries(custom.map((key) => [key, null])) } }),
  };
}

/** Returns a path in the patch as the caller's path: cleared fields are named in `clear`. */
export function patchPath(path: string, { clear = [] }: Patch): string {
  const at = clear.findIndex((name) => path === `$.set.${pathOf(name)}`);
  return at < 0 ? path : `$.clear[${at}]`;
}

const pathOf = (name: string): string =>
  name.startsWith(CUSTOM) ? CUSTOM + named(name.slice(CUSTOM.length)) : named(name);

const named = (key: string): string => key.slice(0, NAMED).toWellFormed();

/** Returns what is wrong with a patch: it is empty, or a field is both set and cleared. */
export function patchFaults({ set: fields = {}, clear = [] }: Patch): Fault[] {
  const set = fields as Record<string, unknown>;
  if (Object.keys(set).length + clear.length === 0) {
    return [
      { path: "$.set", code: "required", message: "must have at least one field, unless clear names one" },
    ];
  }
  const custom = Object.keys((set.custom as object | undefined) ?? {}).map((key) => `custom.${key}`);
  const given = new Set([...Object.keys(set), ...custom]);
  return clear.flatMap((name, i) =>
    given.has(name)
      ? [
          {
            path: `$.clear[${i}]`,
            code: "set_too",
            message: "is also in set; keep it in only one of them",
          },
        ]
      : [],
  );
}
