import type { Row, Statement } from "./statement-batch.ts";

/**
 * What a request pays once before its work: a statement with a transaction of its own, which stands even where the
 * work fails. It travels in the message of the first work, ahead of it.
 */
export interface Toll {
  /** Where it is paid, it sets `leadgate.pass` of the session to this word; where not, it leaves it alone. */
  statement(pass: string): Statement;
  /** Reads its row; throws the refusal where it was not paid. */
  admit(row: Row | undefined): void;
}

// Work that went along with an unpaid toll stands before a closed project. Its row says that it closed one.
const SHUT = `SELECT set_config('leadgate.project', '', true) AS shut
  WHERE current_setting('leadgate.pass', true) IS DISTINCT FROM $1`;

/** Closes the project again unless the toll of this pass was paid on this connection. */
export const barrier = (pass: string): Statement => ({ text: SHUT, values: [pass] });
