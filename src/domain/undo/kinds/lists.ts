import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { type Meanings, statusItem } from "../../fields/sales.ts";
import { type Definition, type Undone, within } from "./kind.ts";

interface StatusItem {
  statuses: string[];
  meanings?: Meanings;
}

/** A list of the project that changes set as a whole: its column, and its name in items. */
function listOf(column: string, name: string): Definition {
  const read = (item: object | null) => (item as Record<string, string[]> | null)?.[name] ?? [];
  return {
    absent: "changed_since",
    counted: "fields_changed",
    async lock(tx, projectId) {
      const text = `SELECT ${column} AS list FROM project WHERE project_id = $1 FOR UPDATE`;
      const [stored] = await tx.query<{ list: string[] }>(text, [projectId]);
      return { now: { [name]: stored?.list ?? [] } };
    },
    async write(tx, projectId, { former }) {
      const list = read(former);
      await tx.query(`UPDATE project SET ${column} = $2 WHERE project_id = $1`, [projectId, list]);
      return { after: { [name]: list } };
    },
  };
}

const USED = "SELECT DISTINCT status FROM lead WHERE project_id = $1 AND status = ANY ($2)";

/** The present statuses that leads have and the former list does not: they must stay valid, at its end. */
async function usedStatuses(
  tx: Pick<Transaction, "query">,
  projectId: string,
  now: readonly string[],
  former: readonly string[],
): Promise<string[]> {
  const lost = now.filter((status) => !former.includes(status));
  if (lost.length === 0) return [];
  const used = new Set(
    (await tx.query<{ status: string }>(USED, [projectId, lost])).map(({ status }) => status),
  );
  return lost.filter((status) => used.has(status));
}

/** The statuses with their meanings. */
export const statuses: Definition = {
  absent: "changed_since",
  counted: "fields_changed",
  async lock(tx, projectId) {
    const text = "SELECT statuses, meanings FROM project WHERE project_id = $1 FOR UPDATE";
    const [stored] = await tx.query<StatusItem>(text, [projectId]);
    return { now: statusItem(stored ?? { statuses: [] }) };
  },
  async write(tx, projectId, { now, former }) {
    const [present, back] = [now, former].map((item) => (item ?? { statuses: [] }) as StatusItem);
    const { statuses: old = [], meanings = {} } = back ?? {};
    const list = [...old, ...(await usedStatuses(tx, projectId, present?.statuses ?? [], old))];
    await tx.query("UPDATE project SET statuses = $2, meanings = $3 WHERE project_id = $1", [
      ...[projectId, list, JSON.stringify(meanings)],
    ]);
    return { after: statusItem({ statuses: list, meanings }) };
  },
};
export const untrackedFields = listOf("quiet_fields", "fields");

const SET_BY = `SELECT i.id, i.after -> 'statuses' AS wide, o.before -> 'statuses' AS former FROM change_item i
  JOIN change_item o ON o.project_id = $1 AND o.change_id = $3 AND o.kind = 'statuses' AND ${within("o.id", "$4", "$5")}
  WHERE i.project_id = $1 AND i.change_id = $2 AND i.kind = 'statuses' ORDER BY i.id DESC, o.id LIMIT 1`;

const CORRECT = `UPDATE change_item SET after = after || jsonb_build_object('statuses', $4::jsonb)
  WHERE project_id = $1 AND change_id = $2 AND id = $3`;

/** Removes the statuses that only leads whose values are undone by now had, behind the undo of all values. */
export async function narrowStatuses(
  tx: Pick<Transaction, "query">,
  undo: Change,
  of: Undone,
): Promise<void> {
  const { projectId } = undo.by;
  const [set] = await tx.query<{ id: string; wide: string[]; former: string[] }>(SET_BY, [
    ...[projectId, undo.id, of.id],
    ...[of.from, of.to],
  ]);
  if (set === undefined) return;
  const [stored] = await tx.query<{ statuses: string[] }>(
    "SELECT statuses FROM project WHERE project_id = $1 FOR UPDATE",
    [projectId],
  );
  const { id, wide, former } = set;
  if (!isDeepStrictEqual(stored?.statuses, wide)) return;
  const list = [...former, ...(await usedStatuses(tx, projectId, wide, former))];
  await tx.query("UPDATE project SET statuses = $2 WHERE project_id = $1", [projectId, list]);
  await tx.query(CORRECT, [projectId, undo.id, id, JSON.stringify(list)]);
}
