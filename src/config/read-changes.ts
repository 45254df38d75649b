import { membersOf } from "./json-setting.ts";

/** The operator's settings of changes. */
export interface ChangeSettings {
  /** The number of days that changes are kept, and can be undone. */
  keptDays: number;
  /** The bytes of former values that a project may keep besides those in events; null sets no limit. */
  keptBytes: number | null;
}

/** Reads CHANGES; throws an error that names the invalid part. */
export function readChanges(given: unknown): ChangeSettings {
  const asked = membersOf("CHANGES", given, ["keptDays", "keptBytes"]);
  return {
    keptDays: integerAt("keptDays", asked.keptDays, 30, 3_650),
    keptBytes:
      asked.keptBytes === null
        ? null
        : integerAt("keptBytes", asked.keptBytes, 1_000_000_000, Number.MAX_SAFE_INTEGER, ", or null"),
  };
}

function integerAt(name: string, given: unknown, usual: number, most: number, orElse = ""): number {
  if (given === undefined) return usual;
  if (typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= most) return given;
  throw new Error(
    `CHANGES: ${name} is ${JSON.stringify(given)}; it must be an integer from 1 to ${most}${orElse}.`,
  );
}
