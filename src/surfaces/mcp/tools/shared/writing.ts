import { Refusal } from "../../../../core/refusal.ts";
import { hashOf } from "../../../../core/secret.ts";
import type { ApprovableName } from "../../../../domain/approvals/approvable.ts";
import { type Proposal, proposeWork } from "../../../../domain/approvals/propose-work.ts";
import { tokenStanding } from "../../../../domain/grants/check-token.ts";
import { type MemberOperation, perform, type Waiting } from "../../../../domain/operation/operation.ts";
import { type Call, Questions } from "../../protocol/registry.ts";
import { withRecords } from "./change-record.ts";
import { outside } from "./outside-text.ts";
import { withOwnerNames } from "./owners.ts";
import { fitList } from "./size.ts";
import { dense } from "./table.ts";

/** A change that a call asks for: one operation of the service, with its input. */
export interface Work<Output> {
  operation: MemberOperation<never, Output>;
  input: object;
  /** What it does, in one sentence, for the person who may have to agree. */
  title: string;
  /** Whether the person has to agree before it is done, whatever the application may do. */
  asks?: boolean;
  /** A long operation reports its progress and can be cancelled. */
  waiting?: Waiting;
  /** Whether the answer shows what was done to each record, if it was a few. */
  shows?: boolean;
  toAnswer(output: Output): object;
}

/**
 * The question's name includes what exactly would be done: a name that the call gave may mean another lead by the time of the
 * answer, which a consent does not cover. The person is asked again then.
 */
const questionOf = ({ operation, input }: Pick<Work<unknown>, "operation" | "input">): string =>
  `approve_${hashOf(JSON.stringify([operation.name, input]))
    .toString("base64url")
    .slice(0, 16)}`;

const Consent = {
  type: "object",
  properties: {
    confirm: { type: "boolean", title: "Yes, do it", description: "It can be undone.", default: false },
  },
  required: ["confirm"],
};

/** The job that goes on with the work after an answer, if one does. */
export const jobIn = (answer: object): string | undefined =>
  "job_id" in answer && typeof answer.job_id === "string" ? answer.job_id : undefined;

/** Whether an answer of `worked` says that nothing was done yet. */
export const isUndecided = (answer: object): boolean => "done" in answer && answer.done === false;

/**
 * Does the work, or asks the person first where that is needed: by the client if it can ask, else by a page of the service,
 * to which the answer has a link. Of an application that may only propose, everything is asked on that page.
 */
export async function worked<Output>(call: Call, work: Work<Output>): Promise<object | Questions> {
  const { operation, input, waiting } = work;
  if (work.asks === true) {
    const { writes } = await tokenStanding(call.service, call.caller);
    if (writes === "propose" || !call.canAsk) return await proposed(call, work);
    const question = questionOf(work);
    const answer = call.answers[question];
    if (answer === undefined) return new Questions({ [question]: { message: work.title, schema: Consent } });
    if (answer.action !== "accept" || answer.content?.confirm !== true)
      return { done: false, reason: answer.action === "cancel" ? "cancelled" : "declined" };
  }
  try {
    const answer = work.toAnswer(
      await perform(call.service, operation, call.caller, input as never, waiting),
    );
    return work.shows === true ? await withRecords(call, answer) : answer;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "needs_approval") throw error;
    return await proposed(call, work);
  }
}

/** The longest title of a proposal. */
const LONGEST = 200;
/** How much of what would change is in the answer; the page shows more. */
const PREVIEW_BYTES = 4_000;

async function proposed(
  call: Call,
  { operation, input, title }: Pick<Work<unknown>, "operation" | "input" | "title">,
): Promise<object> {
  // Other operations are refused there: no tool may write what cannot be proposed.
  const asked = { operation: operation.name as ApprovableName, input, title: title.slice(0, LONGEST) };
  const { service, caller } = call;
  const { id, url, expires_at: until, preview } = await perform(service, proposeWork, caller, asked);
  const records = await withOwnerNames(call, fitList(preview.records.map(briefRecord), PREVIEW_BYTES));
  return {
    done: false,
    approval: { id, url, expires_at: until },
    would_change: preview.total,
    preview: records,
    ...(preview.failures.length > 0 ? { failures: outside(preview.failures) } : {}),
    next_step:
      "Nothing is changed yet. Give the user this url: they see the change there and approve it; it need not be waited for. " +
      "list_changes with this approval's id then has the outcome.",
    untrusted_content: ["preview", ...(preview.failures.length > 0 ? ["failures"] : [])],
  };
}

/** A record of a preview, without what it does not change. */
const briefRecord = ({
  id,
  name,
  outcome,
  changes,
  events,
}: Proposal["preview"]["records"][number]): object =>
  dense(outside({ id, name, outcome, changes, events: events.map(({ title }) => title) }) as object);
