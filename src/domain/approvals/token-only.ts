import { Refusal } from "../../core/refusal.ts";
import type { TokenCaller } from "../operation/callers.ts";
import { type MemberContext, refuse } from "../operation/operation.ts";

/** Returns the caller if it is an application; others (403) have nobody to ask. */
export async function tokenOnly({ db, caller }: MemberContext): Promise<TokenCaller> {
  if (caller.kind === "token") return caller;
  return await refuse(
    db,
    new Refusal(
      "forbidden",
      "tokens_only",
      "Only an application that a person connected can propose changes.",
    ),
  );
}
