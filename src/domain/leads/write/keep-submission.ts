import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { recordEvents } from "../../timeline/record-events.ts";
import type { Unwritten } from "./plan-upserts.ts";

/** The event of a submission that may be about several leads: `data` has what was given and the ids of the leads. */
export const SUBMISSION = "submission.conflicted";

/**
 * Keeps what somebody submitted who may only create leads, where the service does not choose between several: as an event of the lead
 * of the most reliable identifier. Nothing of the leads is changed.
 */
export async function keepSubmission(
  tx: Transaction,
  change: Change,
  caller: Credential,
  { phone_e164: _, ...given }: LeadPatch,
  { among }: Unwritten,
): Promise<void> {
  const ids = [...new Set(among.map(({ id }) => id))];
  const [lead_id] = among[0]?.identifier === among[1]?.identifier ? [...ids].sort() : ids;
  if (lead_id === undefined) throw new Error("a submission that is kept has no lead");
  change.leadId = lead_id;
  const told = { type: SUBMISSION, title: "Submission fits several leads", data: { given, leads: ids } };
  const event = { ...told, occurred_at: null, source: null, external_id: null };
  await recordEvents(tx, change, caller, [{ place: 0, lead_id, event }]);
}
