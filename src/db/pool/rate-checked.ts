import { barrier, stoppedByBarrier } from "../statements/door.ts";
import type { Sent, Way } from "../wire/send.ts";
import type { Row, Statement } from "../wire/statement-batch.ts";
import { Database } from "./database.ts";
import { LostError } from "./watch.ts";

/** A check that a request must pass once before its work, in its own transaction: it is kept even if the work fails. */
export interface RateCheck {
  /** The statement sets `leadgate.pass` of the session to this value if the check passes, and leaves it alone otherwise. */
  statement(pass: string): Statement;
  /** Reads the statement's row. Throws the refusal if the check failed. */
  admit(row: Row | undefined): void;
}

/** Numbers the checks of this process, which shares its connections with no other, unless they are pooled. */
let passes = 0;

/**
 * The database of one request whose first message also carries the rate check, ahead of the work and in its own
 * transaction, which saves a round trip.
 */
export class RateChecked extends Database {
  readonly #check: RateCheck;
  /** The check on its way or passed; undefined until it is sent. */
  #passed: Promise<void> | undefined;

  constructor(db: Database, check: RateCheck) {
    super(db);
    this.#check = check;
  }

  /** Waits for the check; sends it alone if no work has carried it yet. Throws its refusal. */
  async passed(): Promise<void> {
    if (this.#passed !== undefined) return await this.#passed;
    const { error } = await this.sendNothing();
    if (error !== undefined) throw error;
  }

  override async query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    await this.passed();
    return await super.query<R>(text, values);
  }

  override async together<R>(statements: readonly Statement[]): Promise<R[]> {
    await this.passed();
    return await super.together<R>(statements);
  }

  /** Sends the check ahead of the first message, and returns the message's results only once the check has passed. */
  protected override async sendOver(way: Way, statements: readonly Statement[], opening = 1): Promise<Sent> {
    if (this.#passed !== undefined) {
      await this.#passed;
      return await super.sendOver(way, statements);
    }
    const pass = String(++passes);
    const check = this.named(this.#check.statement(pass));
    if (this.isPooled) {
      // A pooler may run the second transaction of a message on another connection, where the pass is not known.
      const [checked] = way([[check]]);
      this.#passed = this.#result(checked);
      await this.#passed;
      return statements.length === 0
        ? { error: undefined, results: [] }
        : await super.sendOver(way, statements);
    }
    // The barrier follows the door, so that a request without a valid credential is told so.
    const guarded = statements.toSpliced(
      opening,
      0,
      ...(statements.length > 0 ? [this.named(barrier(pass))] : []),
    );
    const [ahead, sent] = way([[check], guarded]);
    this.#passed = this.#result(ahead);
    const { error, results, ...more } = await sent;
    const { error: lost } = await ahead;
    if (lost instanceof LostError) return { error: lost, results: [] };
    await this.#passed;
    if (stoppedByBarrier(error))
      throw new Error("a rate check and its work were sent over different connections");
    return { ...more, error, results: results.toSpliced(opening, 1) };
  }

  /** Reads the check's answer. A check that was not sent is forgotten, so that it is sent again with the work. */
  #result(sent: Promise<Sent>): Promise<void> {
    const passed = sent.then(({ error, results }) => {
      if (error instanceof LostError) this.#passed = undefined;
      if (error !== undefined) throw error;
      this.#check.admit(results[0]?.[0]);
    });
    passed.catch(() => undefined);
    return passed;
  }
}

/** Waits for the rate check of a database that has one. Throws its refusal. */
export async function checkPassed(db: Database): Promise<void> {
  if (db instanceof RateChecked) await db.passed();
}
