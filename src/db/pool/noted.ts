import type { StatementNote } from "../../observe/log/account.ts";
import type { Sent } from "../wire/send.ts";
import type { Work } from "./connections.ts";

/** The same work, which tells the note when it gets its connection. */
export const notedWork = <W extends Work>(work: W, note: StatementNote | undefined): W =>
  note === undefined ? work : { ...work, note };

/** Returns what was sent, and ends the note with the rows of the statement at this place. */
export function sentIn<S extends Sent>(
  note: StatementNote | undefined,
  place: number,
  work: Promise<S>,
): Promise<S> {
  if (note === undefined) return work;
  return work.then(
    (sent) => {
      note.end(sent.results.at(place)?.length ?? 0, sent.error);
      return sent;
    },
    (error: unknown) => {
      note.end(0, error);
      throw error;
    },
  );
}

/** Returns the answer, and ends the note with its rows. */
export function answeredIn<T>(
  note: StatementNote | undefined,
  work: Promise<T>,
  rowsOf: (answer: T) => number = () => 0,
): Promise<T> {
  if (note === undefined) return work;
  return work.then(
    (answer) => {
      note.end(rowsOf(answer));
      return answer;
    },
    (error: unknown) => {
      note.end(0, error);
      throw error;
    },
  );
}
