import { membersOf } from "./json-setting.ts";

/** How many indexes of fields the service may make by itself; 0 of either: none. */
export interface FieldIndexSettings {
  /** The indexes of one project. */
  perProject: number;
  /** The sum of the leads of all indexes. */
  leads: number;
}

/** Reads FIELD_INDEXES; throws an error that names the invalid part. */
export function readFieldIndexes(given: unknown): FieldIndexSettings {
  const asked = membersOf("FIELD_INDEXES", given, ["perProject", "leads"]);
  return {
    perProject: integerAt("perProject", asked.perProject, 40, 1_000),
    leads: integerAt("leads", asked.leads, 100_000_000, Number.MAX_SAFE_INTEGER),
  };
}

function integerAt(name: string, given: unknown, usual: number, most: number): number {
  if (given === undefined) return usual;
  if (typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= most) return given;
  throw new Error(
    `FIELD_INDEXES: ${name} is ${JSON.stringify(given)}; it must be an integer from 0 to ${most}.`,
  );
}
