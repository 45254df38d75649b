import { createHash } from "node:crypto";

/** Whether PostgreSQL prepares a statement: never, if it is one of the first few hundred texts, or always. */
export type Prepare = boolean | "always";

const PREPARED_SHAPES = 300;

/** The names of prepared statements, by their texts. Filters have endless shapes, so only the first ones get a name. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #allowed: boolean;

  /** Without `allowed`, no statement is prepared. */
  constructor(allowed: boolean) {
    this.#allowed = allowed;
  }

  /** Returns the name; undefined if the statement is not to be prepared. */
  of(text: string, prepare: Prepare): string | undefined {
    if (prepare === false || !this.#allowed) return undefined;
    const known = this.#names.get(text);
    const full = prepare !== "always" && this.#names.size >= PREPARED_SHAPES;
    if (known !== undefined || full) return known;
    const name = `lg_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Doors with a time limit, by the text of the door. */
const timedTexts = new Map<string, string>();

/**
 * Returns a door that also sets the time limit of the statements behind it in the same message, as a string of
 * milliseconds in `parameter`. PostgreSQL starts its timer with each statement of a message.
 */
export function timed(text: string, parameter: number): string {
  let known = timedTexts.get(text);
  if (known === undefined) {
    known = `SELECT door.*, set_config('statement_timeout', $${parameter}, true) AS limited FROM (${text}) AS door`;
    timedTexts.set(text, known);
  }
  return known;
}

/** Whether a statement surely writes nothing, judged by its text, so that it may be sent twice. */
export const onlyReads = (text: string): boolean =>
  /^\s*(?:SELECT|WITH)\b/i.test(text) &&
  !/\b(?:INSERT|UPDATE|DELETE|MERGE)\b|set_config|nextval|pg_advisory|leadgate_worker/i.test(text);
