import type { Span } from "../../observe/trace/span.ts";
import type { Sent } from "../wire/send.ts";
import type { Work } from "./connections.ts";

/** The same work, which notes in the span when it got its connection. */
export const tracedWork = <W extends Work>(work: W, span: Span | undefined): W =>
  span === undefined ? work : { ...work, span };

/** Returns what was sent, and ends the span with it. */
export function sentDuring<S extends Sent>(span: Span | undefined, work: Promise<S>): Promise<S> {
  if (span === undefined) return work;
  return work.then(
    (sent) => {
      span.endWith(sent.error);
      return sent;
    },
    (error: unknown) => {
      span.fail(error);
      throw error;
    },
  );
}
