import { Refusal } from "../../core/refusal.ts";
import { type MemberContext, refuse } from "./operation.ts";

/** Checks an input beyond its schema; what is wrong is told after the door has had its say about the caller. */
export async function checked<T>({ db }: Pick<MemberContext, "db">, check: () => T): Promise<T> {
  try {
    return check();
  } catch (error) {
    if (error instanceof Refusal) return await refuse(db, error);
    throw error;
  }
}
