import type { MemberContext } from "../../operation/operation.ts";
import { missingLead } from "../read/missing-lead.ts";
import { type Change, changeLeads, type LeadChange } from "./change-leads.ts";
import { type WrittenLead, writtenLead } from "./refuse-write.ts";

/** Changes one lead; throws why it was not changed. One round trip, one more where there is no such lead. */
export async function changeLead(
  { db, caller }: MemberContext,
  change: Change,
  lead: Omit<LeadChange, "place">,
): Promise<WrittenLead> {
  const written = await changeLeads(db, caller, change, [{ place: 0, ...lead }]);
  if (written[0]?.outcome === "missing") throw await missingLead(db, caller.projectId, lead.id);
  return writtenLead(written);
}
