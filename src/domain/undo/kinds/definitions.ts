import type { KeptReason } from "../../../contract/lists/changes.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordItems } from "../../changes/record-items.ts";
import { same, type UndoRecord, WHOLE } from "../rule/decide.ts";
import { fieldDefinition } from "./field.ts";
import { type Definition, type Kind, type Undone, within } from "./kind.ts";
import { statuses, untrackedFields } from "./lists.ts";
import { type ItemRow, itemsSql, stepsOfItems } from "./read-steps.ts";
import { savedView } from "./view.ts";

const DEFINITIONS = {
  field: fieldDefinition,
  statuses,
  untracked: untrackedFields,
  view: savedView,
} as const;

type Name = keyof typeof DEFINITIONS;

const NAMES = Object.keys(DEFINITIONS) as Name[];

/** One at a time, from the last to the first, since a view may name a field that the same change created. */
const NEXT = `SELECT id, kind || ' ' || record_id AS record FROM change_item i
  WHERE project_id = $1 AND change_id = $2 AND kind = ANY ($3) AND ($4 = '' OR id < $4) AND ${within("id", "$5", "$6")}
    AND NOT EXISTS (SELECT FROM change_item o WHERE o.project_id = $1 AND o.change_id = $2 AND o.record_id = i.record_id
      AND o.kind = i.kind AND o.id > i.id AND ($6::text IS NULL OR o.id < $6)) ORDER BY id DESC LIMIT 1`;

const ITEMS = `${itemsSql("i.kind = $5 AND i.record_id = $6")} ORDER BY i.id`;

export const definitions: Kind = {
  keptAs: NAMES,
  async next(tx, undo, of, after) {
    const values = [undo.by.projectId, of.id, NAMES, after, of.from, of.to];
    const [found] = await tx.query<{ id: string; record: string }>(NEXT, values);
    return found === undefined ? { ids: [], next: null } : { ids: [found.record], next: found.id };
  },
  load: async (tx, undo, of, ids) => await Promise.all(ids.map((id) => loaded(tx, undo, of, id))),
};

async function loaded(tx: Transaction, undo: Change, of: Undone, record: string) {
  const { projectId } = undo.by;
  const kind = record.slice(0, record.indexOf(" ")) as Name;
  const id = record.slice(kind.length + 1);
  const definition: Definition = DEFINITIONS[kind];
  const stored = await definition.lock(tx, projectId, id);
  // Read behind the lock: an erasure may have replaced what names a person.
  const all = await tx.query<ItemRow<object>>(ITEMS, [projectId, of.id, of.from, of.to, kind, id]);
  const now = stored?.now ?? null;
  const fieldsOf = ({ before, after }: ItemRow<object>) => [{ field: WHOLE, from: before, to: after }];
  const { since, ...steps } = stepsOfItems(all, undo, fieldsOf);
  const found: UndoRecord = {
    ...{ id: record, ...steps },
    now: now === null ? "none" : "there",
    read: () => now,
    untraced: !same(now, since.findLast(({ own }) => own)?.after),
  };
  return {
    records: since.length === 0 ? [] : [found],
    rules: { again: "taken", absent: definition.absent } as const,
    fits: () => true,
    shown: () => ({ kind, id }),
    async write(decisions: Parameters<Awaited<ReturnType<Kind["load"]>>[number]["write"]>[0]) {
      const refused = new Map<string, { field: null; reason: KeptReason }[]>();
      for (const { op, back } of decisions) {
        if (op === "none") continue;
        const former = op === "delete" ? null : ((back.get(WHOLE) ?? null) as object | null);
        const version = Math.max(0, ...all.map((each) => each.version ?? 0));
        const done = await definition.write(tx, projectId, { id, of: of.id, now, former, version });
        if (typeof done === "string") refused.set(record, [{ field: null, reason: done }]);
        else {
          const item = { kind, recordId: id, before: now, after: done.after } as const;
          const own = done.version === undefined ? item : { ...item, version: done.version };
          await recordItems(tx, undo, { [definition.counted]: 1 }, [own]);
        }
      }
      return { refused };
    },
  };
}
