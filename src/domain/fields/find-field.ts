import { bad, quoted } from "../values/bad-input.ts";
import { FIELD_BY_NAME, type Field } from "./lead-field.ts";
import type { ProjectFacts } from "./project-facts.ts";

/** The field of this name, standard or `custom.<key>`. */
export function findField(name: unknown, path: string, facts: ProjectFacts): Field {
  if (typeof name !== "string") bad(path, "type", "must be the name of a field");
  const field = name.startsWith("custom.") ? facts.custom.get(name.slice(7)) : FIELD_BY_NAME.get(name);
  if (field === undefined)
    bad(path, "unknown_field", `${quoted(name)} is not a field of this project's leads`);
  return field;
}
