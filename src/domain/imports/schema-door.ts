import { Refusal } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import type { MemberContext } from "../operation/operation.ts";
import { doorOf } from "../tenancy/credential.ts";

type Caller = Pick<MemberContext, "service" | "caller" | "purpose">;

/** The door to the project for callers who may create custom fields. */
export const schemaDoor = ({ service, caller, purpose }: Caller): ProjectDb =>
  service.db.behind(doorOf(caller, { any: ["schema:write"] }), purpose);

/** Whether the caller may create custom fields. */
export async function mayCreateFields(caller: Caller): Promise<boolean> {
  try {
    await schemaDoor(caller).query("SELECT 1", [], { prepare: true });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "forbidden") return false;
    throw error;
  }
}
