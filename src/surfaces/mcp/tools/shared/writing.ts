import { type MemberOperation, perform, type Waiting } from "../../../../domain/operation/operation.ts";
import { type Call, Questions } from "../../protocol/registry.ts";

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
  toAnswer(output: Output): object;
}

/** The question's name includes what it is about, so that an answer covers nothing else. */
const QUESTION = "approve";

const Consent = {
  type: "object",
  properties: {
    confirm: { type: "boolean", title: "Yes, do it", description: "It can be undone.", default: false },
  },
  required: ["confirm"],
};

/** Whether an answer of `worked` says that nothing was done yet. */
export const isUndecided = (answer: object): boolean => "done" in answer && answer.done === false;

/**
 * Does the work, after its person agreed where that is needed: they are asked by the client, if it can. Returns the
 * answer, or the question.
 */
export async function worked<Output>(call: Call, work: Work<Output>): Promise<object | Questions> {
  if (work.asks === true && call.canAsk) {
    const answer = call.answers[QUESTION];
    if (answer === undefined) return new Questions({ [QUESTION]: { message: work.title, schema: Consent } });
    if (answer.action !== "accept" || answer.content?.confirm !== true)
      return { done: false, reason: answer.action === "cancel" ? "cancelled" : "declined" };
  }
  const { operation, input, waiting } = work;
  return work.toAnswer(await perform(call.service, operation, call.caller, input as never, waiting));
}
