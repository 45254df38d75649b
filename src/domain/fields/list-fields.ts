import { Type } from "typebox";
import { LocaleInput } from "../../contract/basics/basics.ts";
import { type FieldType, OPERATORS } from "../../contract/lists/operators.ts";
import { WRITABLE } from "../../contract/lists/written-fields.ts";
import type { Locale } from "../../core/locale.ts";
import { memberOperation } from "../operation/operation.ts";
import { labelOf } from "./field-label.ts";
import { FIELD_BY_NAME, type Field } from "./lead-field.ts";
import { type ProjectSchema, projectSchema } from "./project-schema.ts";

/** A field as a filter builder sees it. */
export interface FieldAbilities {
  name: string;
  label: string;
  type: FieldType;
  operators: readonly string[];
  /** The allowed values, if there is a list. */
  options: readonly string[] | null;
  custom: boolean;
  /** Never empty. */
  required: boolean;
  sortable: boolean;
  groupable: boolean;
  /** Whether callers can write it; the service sets the others. */
  writable: boolean;
}

/** Returns every field of the project's leads with its label, type and operators. */
export const listFields = memberOperation({
  name: "leads.fields",
  needs: "leads:read",
  input: Type.Object(
    {
      locale: Type.Optional(LocaleInput),
    },
    { additionalProperties: false },
  ),
  async run({ db, caller }, { locale = "en" }): Promise<FieldAbilities[]> {
    const schema = await projectSchema(db, caller.projectId);
    return [...FIELD_BY_NAME.values(), ...schema.custom.values()].map((field) =>
      abilitiesOf(field, schema, locale),
    );
  },
});

function abilitiesOf(field: Field, schema: ProjectSchema, locale: Locale): FieldAbilities {
  const { name, type, key, ofDeleted = false } = field;
  return {
    name,
    label: labelOf(field, schema, locale),
    type,
    operators: ofDeleted ? [] : OPERATORS[type],
    options: optionsOf(field, schema),
    custom: key !== undefined,
    required: field.required === true,
    sortable: type !== "tags" && type !== "object" && !ofDeleted,
    groupable: type !== "object" && !ofDeleted,
    writable: key !== undefined || WRITABLE.has(name),
  };
}

function optionsOf({ name, type, key = "" }: Field, schema: ProjectSchema): readonly string[] | null {
  if (name === "status") return schema.statuses;
  return type === "enum" ? (schema.custom.get(key)?.options ?? []) : null;
}
