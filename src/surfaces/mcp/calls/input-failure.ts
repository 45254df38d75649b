import type { Fault } from "../../../core/refusal.ts";
import { assistantPath } from "../tools/shared/filter.ts";

/** A tool's answer when it could not do what was asked: what, why, what to do next, and the id to quote to support. */
export interface Failure {
  what: string;
  why: string;
  next_step: string;
  request_id: string;
  details?: Fault[];
}

/** A failure as a tool's result. */
export function failed(failure: Failure): object {
  return { content: [{ type: "text", text: JSON.stringify(failure) }], isError: true };
}

/** Arguments that the tool does not take, each with its path and what is wrong there. */
export function inputFailure(faults: readonly Fault[], requestId: string): object {
  const details = faults.map((fault) => ({ ...fault, path: assistantPath(fault.path) }));
  return failed({
    what: "The arguments were not accepted; nothing was read or changed.",
    why: details.map(({ path, message }) => `${path} ${message}`).join("; "),
    next_step: "Correct the arguments named in details, following the tool's inputSchema, and call again.",
    request_id: requestId,
    details,
  });
}
