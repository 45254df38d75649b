import type pg from "pg";
import type { StatementNote } from "../../observe/log/account.ts";
import type { Span } from "../../observe/trace/span.ts";
import type { Sent } from "../wire/send.ts";
import { lockWaitSince } from "./lock-waits.ts";

/** A statement on its way, for the trace and the logs of its request or job. */
export class Recorded {
  readonly span: Span | undefined;
  readonly note: StatementNote | undefined;
  #client: pg.ClientBase | undefined;
  #takenAt = 0;

  private constructor(span: Span | undefined, note: StatementNote | undefined) {
    this.span = span;
    this.note = note;
  }

  /** Undefined if nobody wants to know. */
  static of(span: Span | undefined, note: StatementNote | undefined): Recorded | undefined {
    return span === undefined && note === undefined ? undefined : new Recorded(span, note);
  }

  /** Another statement over the same connection, within this one. */
  within(text: string, lane: string): Recorded | undefined {
    const { span, note } = this;
    const inner = Recorded.of(
      span?.trace.statement(text, lane, span),
      note?.account.statement(text, lane, true),
    );
    if (inner !== undefined) [inner.#client, inner.#takenAt] = [this.#client, performance.now()];
    return inner;
  }

  /** It has its connection. */
  taken(client: pg.ClientBase): void {
    this.#client = client;
    this.#takenAt = performance.now();
    if (this.span !== undefined) this.span.takenAt = this.#takenAt;
    this.note?.taken();
  }

  /** It has its answer: so many rows, or an error. Of its time, so much was a wait for the disk. */
  end(rows: number, error?: unknown, commitMs = 0): void {
    if (this.note !== undefined) this.note.account.commitMs += commitMs;
    if (error === undefined) this.span?.finish();
    else this.span?.fail(error);
    this.endNote(rows, error);
  }

  /** The same for the logs only, where the span goes on. */
  endNote(rows: number, error?: unknown): void {
    const wait = this.#client === undefined ? undefined : lockWaitSince(this.#client, this.#takenAt);
    if (wait !== undefined) this.note?.account.waitedForLock(wait);
    this.note?.end(rows, error);
  }
}

/** Ends the record for the logs only, where its span goes on. */
export const notedOnly = (record: Recorded | undefined): Ending =>
  record === undefined ? undefined : { end: (rows, error) => record.endNote(rows, error) };

/** The same work, which tells the record when it gets its connection. */
export const recordedWork = <W extends object>(work: W, record: Recorded | undefined): W =>
  record === undefined ? work : { ...work, record };

type Ending = Pick<Recorded, "end"> | undefined;

/** Returns what was sent, and ends the record with the rows of the statement at this place. */
export async function sentIn<S extends Sent>(record: Ending, place: number, work: Promise<S>): Promise<S> {
  if (record === undefined) return await work;
  try {
    const sent = await work;
    record.end(sent.results.at(place)?.length ?? 0, sent.error, sent.commitMs);
    return sent;
  } catch (error) {
    record.end(0, error);
    throw error;
  }
}

/** Returns the answer, and ends the record with its rows. */
export async function answeredIn<T>(
  record: Ending,
  work: Promise<T>,
  rowsOf: (answer: T) => number = () => 0,
): Promise<T> {
  if (record === undefined) return await work;
  try {
    const answer = await work;
    record.end(rowsOf(answer));
    return answer;
  } catch (error) {
    record.end(0, error);
    throw error;
  }
}
