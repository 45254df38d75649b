import { checked } from "../checked.ts";
import type { MemberContext } from "../operation.ts";
import { type WritingFacts, writingFacts } from "./writing-facts.ts";

/** Reads what somebody writes with what it asks of the project; a fault is told after the door has had its say. */
export async function readWith<T>(
  { db, caller }: MemberContext,
  given: readonly unknown[],
  read: (facts: WritingFacts) => T,
): Promise<T> {
  const facts = await writingFacts(db, caller.projectId, given);
  return await checked({ db }, () => read(facts));
}
