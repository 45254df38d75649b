import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { notFound, Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { record } from "../../operation/audit/record.ts";
import { memberOperation, refuse } from "../../operation/operation.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { LeadId } from "../read/lead-id.ts";

/**
 * Erases a lead permanently, deleted or not: its timeline, the leads merged into it, the data that merges kept of
 * it, and export files that may contain it. Owners only; audited without the lead's data.
 */
export const eraseLead = memberOperation({
  name: "leads.erase",
  needs: "leads:write",
  input: Type.Object({ id: LeadId }, { additionalProperties: false }),
  async run({ service, db, caller }, { id }): Promise<void> {
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    await db.transaction(async (tx) => {
      const actor = await ownerWho(tx, caller);
      const ids = await lineage(tx, caller.projectId, id);
      for (const forget of FORGET) await tx.query(forget, [caller.projectId, ids]);
      await tx.query(FORGET_FILES, [caller.projectId]);
      const data = { lead_id: id, merged: ids.length - 1 };
      await record(service, tx, { action: "lead.erased", projectId: caller.projectId, actor, data });
    });
  },
});

const FORGET = [
  "DELETE FROM event WHERE project_id = $1 AND lead_id <> ALL ($2) AND merged_from = ANY ($2)",
  "DELETE FROM merge WHERE project_id = $1 AND (winner_id = ANY ($2) OR loser_id = ANY ($2))",
  "DELETE FROM lead WHERE project_id = $1 AND id = ANY ($2)",
];

/** Export files made before the erasure contain the lead, so they expire now. */
const FORGET_FILES = `WITH gone AS (
    UPDATE job SET expires_at = moment() WHERE project_id = $1 AND kind = 'export' AND state = 'done' RETURNING id
  ) DELETE FROM job_piece WHERE project_id = $1 AND job_id IN (SELECT id FROM gone)`;

/** Locks the lead and all leads merged into it, in the order of ids, and returns their ids. */
async function lineage(tx: Transaction, projectId: string, id: string): Promise<string[]> {
  const rows = await tx.query<{ id: string; merged_into_id: string | null }>(
    `SELECT id, merged_into_id FROM lead WHERE project_id = $1 AND id IN (
       WITH RECURSIVE part (id) AS (SELECT $2::text COLLATE "C" UNION SELECT lead.id FROM lead JOIN part
         ON lead.merged_into_id = part.id WHERE lead.project_id = $1) SELECT id FROM part)
     ORDER BY id FOR UPDATE`,
    [projectId, id],
  );
  const asked = rows.find((row) => row.id === id);
  if (asked === undefined) throw notFound("lead");
  if (asked.merged_into_id !== null) {
    const message = `The lead was merged into ${asked.merged_into_id}. Erase that lead; this one is erased with it.`;
    throw new Refusal("conflict", "merged", message);
  }
  return rows.map((row) => row.id);
}

/** Returns the responsible owner: the person, or the creator of the key if still an owner. */
async function ownerWho(tx: Transaction, caller: Credential): Promise<string> {
  const made = "SELECT created_by FROM api_key WHERE project_id = $1 AND id = $2";
  const [who, id] =
    caller.kind === "key"
      ? [`(${made})`, caller.id]
      : ["$2", caller.kind === "person" ? caller.personId : ""];
  const owners = await tx.query(
    `SELECT FROM membership WHERE project_id = $1 AND person_id = ${who} AND role = 'owner'`,
    [caller.projectId, id],
  );
  if (owners.length > 0) return id;
  const message = "Only an owner, or an API key created by a current owner, can erase a lead permanently.";
  throw new Refusal("forbidden", "owners_only", message);
}
