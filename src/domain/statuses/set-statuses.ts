import { isDeepStrictEqual } from "node:util";
import { StatusListInput } from "../../contract/fields/statuses.ts";
import { Refusal } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { type Change, newChange } from "../changes/change.ts";
import { standsAgain } from "../changes/mark-undone.ts";
import { recordItems } from "../changes/record-items.ts";
import { type Meanings, meaningsOf, statusItem } from "../fields/sales.ts";
import { changeHidden } from "../leads/write/change-hidden.ts";
import { changeLeads } from "../leads/write/change-leads.ts";
import { may } from "../operation/may-sql.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import { bad, cleanText } from "../values/bad-input.ts";
import type { StatusMeanings } from "./list-statuses.ts";

const BATCH = 1_000;

/** So many meanings of statuses that are gone are kept. */
const MOST_GONE = 500;

/** While leads are being changed, both old and new statuses are valid. */
const WIDEN = `WITH held AS MATERIALIZED (SELECT statuses FROM project WHERE project_id = $1 FOR NO KEY UPDATE),
  widened AS (UPDATE project SET statuses = $2::text[] || ARRAY(
      SELECT old FROM unnest(held.statuses) WITH ORDINALITY AS former (old, n) WHERE old <> ALL ($2::text[]) ORDER BY n)
    FROM held WHERE project_id = $1)
  SELECT statuses FROM held`;

interface Statuses {
  statuses: string[];
}

interface Locked extends Statuses {
  meanings: Meanings;
}

const NEXT = `SELECT id FROM lead WHERE project_id = $1 AND status = $2 AND ${NOT_DELETED} LIMIT ${BATCH}`;
const LOCK = "SELECT statuses, meanings FROM project WHERE project_id = $1 FOR UPDATE";
const USED = `SELECT status, count(*)::int AS leads FROM lead
  WHERE project_id = $1 AND status = ANY ($2) AND ${NOT_DELETED} GROUP BY status ORDER BY status`;
const DEAD = `SELECT id FROM lead WHERE project_id = $1 AND status = $2 AND NOT (${NOT_DELETED}) ORDER BY id FOR NO KEY UPDATE`;
const SET = "UPDATE project SET statuses = $2, meanings = $3 WHERE project_id = $1";

/**
 * Replaces the project's statuses. 409 while leads have a status that would be removed, unless `map` names its
 * replacement; the number of leads is told to those who may read them. Leads change a thousand at a time, recorded on their timelines, so an interrupted change
 * can be repeated.
 */
export const setStatuses = memberOperation({
  name: "statuses.set",
  needs: "schema:write",
  input: StatusListInput,
  async run(context, input): Promise<StatusMeanings> {
    const { db, caller } = context;
    const { statuses, map = {} } = input;
    await checked(context, () => checkList(input));
    const { projectId } = caller;
    const moves = Object.entries(map);
    const widened = moves.length === 0 ? [] : await db.query<Statuses>(WIDEN, [projectId, statuses]);
    const change = newChange(context, "statuses.set");
    for (const [old, fresh] of moves) await move(db, change, old, fresh);
    return await db.transaction(async (tx) => {
      const [locked] = await tx.query<Locked>(LOCK, [projectId]);
      const gone = (locked?.statuses ?? []).filter((status) => !statuses.includes(status));
      const used = await tx.query<{ status: string; leads: number }>(USED, [projectId, gone]);
      if (used.length > 0) throw statusUsed(used, await may(tx, caller, "leads:read"));
      const former = {
        statuses: widened[0]?.statuses ?? locked?.statuses ?? [],
        meanings: locked?.meanings ?? {},
      };
      const meanings = chosenMeanings(input, former);
      const [before, after] = [statusItem(former), statusItem({ statuses, meanings })];
      if (change.made || !isDeepStrictEqual(before, after)) {
        const item = { kind: "statuses", recordId: "statuses", before, after } as const;
        await recordItems(tx, change, { fields_changed: 1 }, [item]);
        await standsAgain(tx, change);
      }
      for (const [old, fresh] of moves) {
        const dead = await tx.query<{ id: string }>(DEAD, [projectId, old]);
        await changeHidden(
          tx,
          change,
          dead.map(({ id }) => ({ id, patch: { status: fresh } })),
        );
      }
      await tx.query(SET, [projectId, statuses, JSON.stringify(meanings)]);
      return { statuses, meanings: meaningsOf(statuses, meanings) };
    });
  },
});

/**
 * The chosen meanings after a change: those of the call, those that were chosen before, and for a renamed status its former one. Those of
 * statuses that are gone stay, because events have their names.
 */
function chosenMeanings(
  { statuses, map = {}, meanings: given = {} }: StatusListInput,
  former: Locked,
): Meanings {
  const was = meaningsOf(former.statuses, former.meanings);
  const renamed = new Map(Object.entries(map).map(([old, fresh]) => [fresh, old]));
  const gone = Object.entries(former.meanings).filter(([status]) => !statuses.includes(status));
  const chosen = Object.fromEntries(
    statuses.flatMap((status) => {
      const isNew = !former.statuses.includes(status);
      const own = former.meanings[status];
      const kept = isNew ? (was[renamed.get(status) ?? ""] ?? own) : own;
      const meaning = Object.hasOwn(given, status) ? given[status] : kept;
      return meaning === undefined ? [] : [[status, meaning]];
    }),
  );
  return { ...Object.fromEntries(gone.slice(-MOST_GONE)), ...chosen };
}

function checkList({ statuses, map = {}, meanings = {} }: StatusListInput): void {
  for (const status of Object.keys(meanings)) {
    const path = `$.meanings.${status.slice(0, 60).toWellFormed()}`;
    if (!statuses.includes(cleanText(status, path)))
      bad(path, "unknown_status", `must be a status of the new list: ${statuses.join(", ")}`);
  }
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

async function move(db: ProjectDb, change: Change, old: string, fresh: string): Promise<void> {
  for (let more = true; more; ) {
    const batch = await db.query<{ id: string }>(NEXT, [change.by.projectId, old]);
    await changeLeads(
      db,
      change,
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
