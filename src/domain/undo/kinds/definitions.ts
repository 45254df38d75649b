import type { KeptReason } from "../../../contract/lists/changes.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordItems } from "../../changes/record-items.ts";
import { type Step, same, type UndoRecord, WHOLE } from "../rule/decide.ts";
import { fieldDefinition } from "./field.ts";
import { type Definition, type Kind, type Undone, within } from "./kind.ts";
import { statuses, untrackedFields } from "./lists.ts";
import { type StepRow, standingSql, stepsOf } from "./read-steps.ts";
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

const ITEMS = `SELECT i.change_id = $2 AND ${within("i.id", "$5", "$6")} AS own, i.before, i.after, i.version, c.actor AS by, i.change_id,
    to_json(i.at) #>> '{}' AS at, ${standingSql("i.record_id")}
  FROM change_item i JOIN change c ON c.project_id = $1 AND c.id = i.change_id
  WHERE i.project_id = $1 AND i.kind = $3 AND i.record_id = $4 ORDER BY i.id`;

interface DefinitionItem extends Omit<StepRow, "field" | "from" | "to" | "order"> {
  before: object | null;
  after: object | null;
  version: number | null;
}

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
  const values = [projectId, of.id, kind, id, of.from, of.to];
  const all = await tx.query<DefinitionItem>(ITEMS, values);
  const first = all.findIndex(({ own }) => own);
  const items = first < 0 ? [] : all.slice(first).filter((each) => each.own || each.change_id !== undo.id);
  const now = stored?.now ?? null;
  return {
    records: items.length === 0 ? [] : [recordOf(record, items, now)],
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

function recordOf(id: string, items: readonly DefinitionItem[], now: object | null): UndoRecord {
  const steps = items.flatMap((item, order) => stepsIn(item).map((step) => ({ ...item, ...step, order })));
  const last = items.findLastIndex(({ own }) => own);
  return {
    id,
    ...stepsOf(steps),
    last,
    now: now === null ? "none" : "there",
    read: () => now,
    untraced: !same(now, items[last]?.after),
  };
}

function stepsIn({ before, after }: DefinitionItem): Omit<Step, "order">[] {
  const presence = (value: object | null) => (value === null ? "none" : "there");
  const whole = { field: WHOLE, from: before, to: after };
  if (before !== null && after !== null) return [whole];
  return [{ field: null, from: presence(before), to: presence(after) }, whole];
}
