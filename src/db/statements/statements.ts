import { createHash } from "node:crypto";
import { Recent } from "../wire/recent.ts";
import type { Statement } from "../wire/statement-batch.ts";

/** How many names are kept; others are computed again. */
const KEPT = 1_000;

/** The names of prepared statements, by their texts. */
export class StatementNames {
  readonly #names = new Recent<string, string>(KEPT);
  readonly #allowed: boolean;

  /** Without `allowed`, no statement is prepared. */
  constructor(allowed: boolean) {
    this.#allowed = allowed;
  }

  /** Returns the name; undefined if nothing is prepared. */
  of(text: string): string | undefined {
    if (!this.#allowed) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `lg_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Doors with a time limit, by the text of the door. */
const timedTexts = new Map<string, string>();
const genericTexts = new Map<string, string>();

/**
 * Returns a door that also sets the time limit of the statements behind it in the same message, in milliseconds. PostgreSQL starts its timer with each statement of a message. With `generic`, prepared
 * statements behind it are planned once for all values.
 */
export function timed({ text, values }: Statement, limitMs: number, generic = false): Statement {
  const texts = generic ? genericTexts : timedTexts;
  let known = texts.get(text);
  if (known === undefined) {
    const parameter = values.length + 1;
    const mode = generic ? ", set_config('plan_cache_mode', 'force_generic_plan', true) AS planned" : "";
    known = `SELECT door.*, set_config('statement_timeout', $${parameter}, true) AS limited${mode} FROM (${text}) AS door`;
    texts.set(text, known);
  }
  return { text: known, values: [...values, String(limitMs)] };
}

const LIMIT = "set_config('statement_timeout', $1, true)";

/** The same as a statement of its own. */
export const limiting = (limitMs: number): Statement => ({
  text: `SELECT ${LIMIT}`,
  values: [String(limitMs)],
});

/** Whether a statement surely writes nothing, judged by its text, so that it may be sent twice. */
export const onlyReads = (text: string): boolean =>
  /^\s*(?:SELECT|WITH)\b/i.test(text) &&
  !/\b(?:INSERT|UPDATE|DELETE|MERGE)\b|set_config|nextval|pg_advisory|leadgate_worker/i.test(text);

export const BEGIN: Statement = { text: "BEGIN", values: [] };

/** Whether a statement did not get a lock in time. */
export const isLockTimeout = (error: Error | undefined): boolean =>
  (error as { code?: string } | undefined)?.code === "55P03";
