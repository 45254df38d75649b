import { StatusListInput } from "../../contract/nouns/field.ts";
import { Refusal } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { changeLeads } from "../leads/write/change-leads.ts";
import { may } from "../operation/may-sql.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import type { Credential } from "../tenancy/credential.ts";
import { bad, cleanText } from "../values/bad-input.ts";

const BATCH = 1_000;

/** While leads are being changed, both old and new statuses are valid. */
const WIDEN = `UPDATE project SET statuses = $2::text[] || ARRAY(
    SELECT old FROM unnest(statuses) WITH ORDINALITY AS former (old, n) WHERE old <> ALL ($2::text[]) ORDER BY n)
  WHERE project_id = $1`;
const NEXT = `SELECT id FROM lead WHERE project_id = $1 AND status = $2 AND ${NOT_DELETED} LIMIT ${BATCH}`;
const LOCK = "SELECT statuses FROM project WHERE project_id = $1 FOR UPDATE";
const USED = `SELECT status, count(*)::int AS leads FROM lead
  WHERE project_id = $1 AND status = ANY ($2) AND ${NOT_DELETED} GROUP BY status ORDER BY status`;
const DEAD = `UPDATE lead SET status = $3 WHERE project_id = $1 AND status = $2 AND NOT (${NOT_DELETED})`;
const SET = "UPDATE project SET statuses = $2 WHERE project_id = $1";

/**
 * Replaces the project's statuses. 409 while leads have a status that would be removed, unless `map` names its
 * replacement; the number of leads is told to those who may read them. Leads change a thousand at a time, recorded on their timelines, so an interrupted change
 * can be repeated.
 */
export const setStatuses = memberOperation({
  name: "statuses.set",
  needs: "schema:write",
  input: StatusListInput,
  async run(context, input): Promise<string[]> {
    const { db, caller } = context;
    const { statuses, map = {} } = input;
    await checked(context, () => checkList(input));
    const { projectId } = caller;
    const moves = Object.entries(map);
    if (moves.length > 0) await db.query(WIDEN, [projectId, statuses]);
    for (const [old, fresh] of moves) await move(db, caller, old, fresh);
    return await db.transaction(async (tx) => {
      const [before] = await tx.query<{ statuses: string[] }>(LOCK, [projectId]);
      const gone = (before?.statuses ?? []).filter((status) => !statuses.includes(status));
      const used = await tx.query<{ status: string; leads: number }>(USED, [projectId, gone]);
      if (used.length > 0) throw statusUsed(used, await may(tx, caller, "leads:read"));
      for (const [old, fresh] of moves) await tx.query(DEAD, [projectId, old, fresh]);
      await tx.query(SET, [projectId, statuses]);
      return statuses;
    });
  },
});

function checkList({ statuses, map = {} }: StatusListInput): void {
  statuses.forEach((status, i) => {
    const text = cleanText(status, `$.statuses[${i}]`);
    if (text.trim() !== text)
      bad(`$.statuses[${i}]`, "white_space", "must not start or end with white space");
    if (statuses.indexOf(status) < i) bad(`$.statuses[${i}]`, "repeated", "must not be named twice");
  });
  for (const [old, fresh] of Object.entries(map)) {
    const path = `$.map.${old.slice(0, 60).toWellFormed()}`;
    cleanText(old, path);
    if (statuses.includes(old)) bad(path, "stays", "is still in the list, so its leads keep it");
    if (!statuses.includes(fresh))
      bad(path, "unknown_status", `must map to a status of the new list: ${statuses.join(", ")}`);
  }
}

async function move(db: ProjectDb, caller: Credential, old: string, fresh: string): Promise<void> {
  for (let more = true; more; ) {
    const batch = await db.query<{ id: string }>(NEXT, [caller.projectId, old]);
    await changeLeads(
      db,
      caller,
      "set",
      batch.map(({ id }, place) => ({ place, id, patch: { status: fresh } })),
    );
    more = batch.length === BATCH;
  }
}

function statusUsed(used: readonly { status: string; leads: number }[], mayRead: boolean): Refusal {
  if (!mayRead) {
    const text =
      "Leads still have a status that is left out. Give their new status in map, or keep the status.";
    return new Refusal("conflict", "status_used", text);
  }
  const list = used.map(({ status, leads }) => `${status} (${leads} leads)`).join(", ");
  const message = `Leads still have ${list}. Give their new status in map, or keep the status.`;
  return new Refusal("conflict", "status_used", message, {
    faults: used.map(({ status, leads }) => ({
      path: `$.map.${status}`,
      code: "status_used",
      message: String(leads),
    })),
  });
}
