import { Type } from "typebox";
import type { Locale } from "../../core/locale.ts";
import { LocaleInput } from "../operation/input-faults.ts";
import { memberOperation } from "../operation/operation.ts";
import { labelOf } from "./field-label.ts";
import { type Field, type FieldType, LEAD_FIELDS } from "./lead-field.ts";
import { WRITABLE } from "./lead-input.ts";
import { OPERATORS } from "./operator.ts";
import { type ProjectFacts, projectFacts } from "./project-facts.ts";

/** A field as those see it who build filters. */
export interface FieldAbilities {
  name: string;
  label: string;
  type: FieldType;
  operators: readonly string[];
  /** The values to choose from, where there is such a list. */
  options: readonly string[] | null;
  custom: boolean;
  /** Never empty. */
  required: boolean;
  sortable: boolean;
  groupable: boolean;
  /** Whether leads are written with it; the others are the service's own. */
  writable: boolean;
}

/** Every field of the project's leads: what it is called, holds and can be asked. One round trip. */
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
    const facts = await projectFacts(db, caller.projectId);
    return [...LEAD_FIELDS, ...facts.custom.values()].map((field) => abilitiesOf(field, facts, locale));
  },
});

function abilitiesOf(field: Field, facts: ProjectFacts, locale: Locale): FieldAbilities {
  const { name, type, key } = field;
  return {
    name,
    label: labelOf(field, facts, locale),
    type,
    operators: OPERATORS[type],
    options: optionsOf(field, facts),
    custom: key !== undefined,
    required: field.required === true,
    sortable: type !== "tags" && type !== "object",
    groupable: type !== "object",
    writable: key !== undefined || WRITABLE.has(name),
  };
}

function optionsOf({ name, type, key = "" }: Field, facts: ProjectFacts): readonly string[] | null {
  if (name === "status") return facts.statuses;
  return type === "enum" ? (facts.custom.get(key)?.options ?? []) : null;
}
