import type { Actor } from "../../../contract/basics/actor.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { ChangeItem } from "../../changes/change-items.ts";
import { recordItems } from "../../changes/record-items.ts";
import type { KeptField, UndoneRecord } from "../../changes/undone-record.ts";
import type { DefinitionStep } from "./definition-step.ts";
import { type FieldDefinition, undoField } from "./undo-field.ts";
import { undoList } from "./undo-lists.ts";
import { undoView } from "./undo-view.ts";

/** What a change did to a definition, as it is kept. */
interface DefinitionItem {
  id: string;
  kind: "field" | "statuses" | "untracked" | "view";
  record_id: string;
  before: object | null;
  after: object | null;
}

const ITEMS = `SELECT id, kind, record_id, before, after FROM change_item
  WHERE project_id = $1 AND change_id = $2 AND kind IN ('field', 'statuses', 'untracked', 'view') ORDER BY id DESC`;

const SINCE = `SELECT c.id AS change_id, c.actor AS by, to_json(i.at) #>> '{}' AS at
  FROM change_item i JOIN change c ON c.project_id = $1 AND c.id = i.change_id
  WHERE i.project_id = $1 AND i.kind = $2 AND i.record_id = $3 AND i.id > $4 AND i.change_id NOT IN ($5, $6)
  ORDER BY i.id DESC LIMIT 1`;

/**
 * Undoes what the change `of` did to custom fields, statuses, untracked fields and saved views, and records it in `undo`.
 * Values of leads are undone after it; then call `narrowStatuses`. After the commit, `buildBehind` builds the indexes of
 * fields if `needsIndexes` says so.
 */
export async function undoDefinitions(tx: Transaction, undo: Change, of: string): Promise<UndoneRecord[]> {
  const { projectId } = undo.by;
  const done: UndoneRecord[] = [];
  for (const item of await tx.query<DefinitionItem>(ITEMS, [projectId, of])) {
    const { kind, record_id: id } = item;
    const step = await undoDefinition(tx, undo, of, item);
    if (step.did === "nothing") continue;
    if (step.did !== "kept") {
      const { did: _, ...values } = step;
      const mine: ChangeItem = { kind, recordId: id, ...values };
      await recordItems(tx, undo, { [kind === "view" ? "views_changed" : "fields_changed"]: 1 }, [mine]);
      done.push({ kind, id, outcome: step.did, putBack: [], kept: [] });
      continue;
    }
    const kept: KeptField = { field: null, reason: step.reason };
    if (step.reason !== "does_not_fit") Object.assign(kept, await author(tx, undo, of, item));
    const mine: ChangeItem = { kind: "kept", recordId: id, before: null, after: { kind, kept: [kept] } };
    await recordItems(tx, undo, { kept: 1 }, [mine]);
    done.push({ kind, id, outcome: "kept", putBack: [], kept: [kept] });
  }
  return done;
}

async function undoDefinition(
  tx: Transaction,
  undo: Change,
  of: string,
  { id, kind, record_id: record, before, after }: DefinitionItem,
): Promise<DefinitionStep> {
  const { projectId } = undo.by;
  switch (kind) {
    case "view":
      return await undoView(tx, undo, of, { id, view: record });
    case "field":
      return await undoField(tx, projectId, of, {
        key: record,
        before: before as FieldDefinition | null,
        after: after as FieldDefinition | null,
      });
    default:
      return await undoList(tx, projectId, kind, { before: before ?? {}, after: after ?? {} });
  }
}

/** Whether an undo of definitions changed a field whose index must be built or removed after the commit. */
export const needsIndexes = (done: readonly UndoneRecord[]): boolean =>
  done.some(({ kind, outcome }) => kind === "field" && outcome !== "kept");

/** Returns who changed the definition last since then, if a change tells it. */
async function author(
  tx: Pick<Transaction, "query">,
  undo: Change,
  of: string,
  { id, kind, record_id: record }: DefinitionItem,
): Promise<{ by: Actor; change_id: string; at: string } | undefined> {
  const values = [undo.by.projectId, kind, record, id, of, undo.id];
  const [since] = await tx.query<{ by: Actor; change_id: string; at: string }>(SINCE, values);
  return since;
}
