import { Refusal } from "../../core/refusal.ts";
import { type MemberContext, refuse } from "../operation.ts";
import { type WritingFacts, writingFacts } from "./writing-facts.ts";

/** Reads what somebody writes with what it asks of the project; a fault is told after the door has had its say. */
export async function readWith<T>(
  { db, caller }: MemberContext,
  given: readonly unknown[],
  read: (facts: WritingFacts) => T,
): Promise<T> {
  const facts = await writingFacts(db, caller.projectId, given);
  try {
    return read(facts);
  } catch (error) {
    if (error instanceof Refusal) return await refuse(db, error);
    throw error;
  }
}
