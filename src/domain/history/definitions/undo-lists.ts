import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { DefinitionStep } from "./definition-step.ts";

/** The lists of a project that changes set: their columns, and their names in items. */
const LISTS = { statuses: ["statuses", "statuses"], untracked: ["quiet_fields", "fields"] } as const;

type ListKind = keyof typeof LISTS;

const USED = "SELECT DISTINCT status FROM lead WHERE project_id = $1 AND status = ANY ($2)";

/** Puts a former list back if the present one still is what the change wrote. */
export async function undoList(
  tx: Pick<Transaction, "query">,
  projectId: string,
  kind: ListKind,
  { before, after }: { before: object; after: object },
): Promise<DefinitionStep> {
  const [column, name] = LISTS[kind];
  const listOf = (item: object) => (item as Record<string, string[]>)[name] ?? [];
  const lock = `SELECT ${column} AS list FROM project WHERE project_id = $1 FOR UPDATE`;
  const [stored] = await tx.query<{ list: string[] }>(lock, [projectId]);
  const now = stored?.list ?? [];
  if (!isDeepStrictEqual(now, listOf(after))) return { did: "kept", reason: "changed_since" };
  const former = listOf(before);
  const lost = kind === "statuses" ? now.filter((status) => !former.includes(status)) : [];
  const used = lost.length === 0 ? [] : await tx.query<{ status: string }>(USED, [projectId, lost]);
  const list = widened(former, now, new Set(used.map(({ status }) => status)));
  await tx.query(`UPDATE project SET ${column} = $2 WHERE project_id = $1`, [projectId, list]);
  return { did: "put_back", before: { [name]: now }, after: { [name]: list } };
}

/** The former statuses, and behind them those of the present list that leads still have: they must stay valid. */
export const widened = (
  former: readonly string[],
  now: readonly string[],
  used: ReadonlySet<string>,
): string[] => [...former, ...now.filter((status) => !former.includes(status) && used.has(status))];

const SET_BY = `SELECT i.id, i.after -> 'statuses' AS wide, o.before -> 'statuses' AS former FROM change_item i
  JOIN change_item o ON o.project_id = $1 AND o.change_id = $3 AND o.kind = 'statuses'
  WHERE i.project_id = $1 AND i.change_id = $2 AND i.kind = 'statuses'`;

const CORRECT = `UPDATE change_item SET after = jsonb_build_object('statuses', $4::jsonb)
  WHERE project_id = $1 AND change_id = $2 AND id = $3`;

/**
 * Removes the statuses that only leads whose values are undone by now had, behind `undoDefinitions` and the undo of
 * all values. Returns those that other leads have, which stay in the list.
 */
export async function narrowStatuses(
  tx: Pick<Transaction, "query">,
  undo: Change,
  of: string,
): Promise<string[]> {
  const { projectId } = undo.by;
  const [stored] = await tx.query<{ statuses: string[] }>(
    "SELECT statuses FROM project WHERE project_id = $1 FOR UPDATE",
    [projectId],
  );
  const set = await tx.query<{ id: string; wide: string[]; former: string[] }>(SET_BY, [
    projectId,
    undo.id,
    of,
  ]);
  const [mine] = set;
  if (mine === undefined || !isDeepStrictEqual(stored?.statuses, mine.wide)) return [];
  const { id, wide, former } = mine;
  const extra = wide.filter((status) => !former.includes(status));
  const used = await tx.query<{ status: string }>(USED, [projectId, extra]);
  const list = widened(former, wide, new Set(used.map(({ status }) => status)));
  await tx.query("UPDATE project SET statuses = $2 WHERE project_id = $1", [projectId, list]);
  await tx.query(CORRECT, [projectId, undo.id, id, JSON.stringify(list)]);
  return extra.filter((status) => list.includes(status));
}
