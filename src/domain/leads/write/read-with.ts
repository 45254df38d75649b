import { type WritingFacts, writingFacts } from "../../fields/writing-facts.ts";
import { checked } from "../../operation/checked.ts";
import type { MemberContext } from "../../operation/operation.ts";

/** Reads what somebody writes with what it asks of the project; a fault is told after the door has had its say. */
export async function readWith<T>(
  { db, caller }: MemberContext,
  given: readonly unknown[],
  read: (facts: WritingFacts) => T,
): Promise<T> {
  const facts = await writingFacts(db, caller.projectId, given);
  return await checked({ db }, () => read(facts));
}
