import { membersOf } from "./json-setting.ts";

/** The operator's settings of exports. */
export interface ExportSettings {
  /** How many exports a project may stream at once from one instance. */
  streamsPerProject: number;
  /** The bytes per second that the reader of a streamed export must take on average; null sets no minimum. */
  slowestReader: number | null;
  /** The bytes of finished export files that a project may keep; null sets no limit. */
  keptBytes: number | null;
  /** The number of days that a finished file is kept. */
  keptDays: number;
}

const KEYS = ["streamsPerProject", "slowestReader", "keptBytes", "keptDays"];

/** Each stream holds a database connection, and requests need the others. */
const MOST_STREAMS = 8;

/** Reads EXPORTS; throws an error that names the invalid part. */
export function readExports(given: unknown): ExportSettings {
  const asked = membersOf("EXPORTS", given, KEYS);
  return {
    streamsPerProject: integerAt("streamsPerProject", asked.streamsPerProject, 2, MOST_STREAMS),
    slowestReader: orNull("slowestReader", asked.slowestReader, 65_536, 1_000_000_000),
    keptBytes: orNull("keptBytes", asked.keptBytes, 2_147_483_648, Number.MAX_SAFE_INTEGER),
    keptDays: integerAt("keptDays", asked.keptDays, 7, 3_650),
  };
}

const orNull = (name: string, given: unknown, usual: number, most: number): number | null =>
  given === null ? null : integerAt(name, given, usual, most, ", or null");

function integerAt(name: string, given: unknown, usual: number, most: number, orElse = ""): number {
  if (given === undefined) return usual;
  if (typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= most) return given;
  throw new Error(
    `EXPORTS: ${name} is ${JSON.stringify(given)}; it must be an integer from 1 to ${most}${orElse}.`,
  );
}
