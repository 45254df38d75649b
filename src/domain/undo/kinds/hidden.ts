import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { changeHidden } from "../../leads/write/change-hidden.ts";
import { changeLeads } from "../../leads/write/change-leads.ts";
import type { Decision, UndoRecord } from "../rule/decide.ts";
import { type Fitting, readFitting } from "./fitting.ts";
import { type Kind, LEAD_RULES, type Written, within } from "./kind.ts";
import { type LeadNow, lockLeads, readField } from "./lead-steps.ts";
import { pageOfItems } from "./read-steps.ts";

interface HiddenItem {
  lead: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

const ITEMS = `SELECT record_id AS lead, before, after FROM change_item
  WHERE project_id = $1 AND concat(change_id) = $2 AND kind = 'hidden' AND record_id = ANY ($3) AND ${within("id", "$4", "$5")} ORDER BY id`;

/**
 * Values of leads that were deleted or merged when the change removed or rewrote them, which has no events. Those leads may
 * be back by now: then they are changed like others.
 */
export const hiddenValues: Kind = {
  keptAs: ["hidden"],
  isHidden: true,
  next: (tx, undo, of, after) => pageOfItems(tx, undo, of, "hidden", after),
  async load(tx, undo, of, ids) {
    const { projectId } = undo.by;
    const fitting = await readFitting(tx, projectId);
    const now = await lockLeads(tx, projectId, ids);
    const items = await tx.query<HiddenItem>(ITEMS, [projectId, of.id, ids, of.from, of.to]);
    const records = [...Map.groupBy(items, ({ lead }) => lead)].flatMap(([lead, own]) =>
      recordOf(now.get(lead), own),
    );
    return [
      {
        records,
        rules: LEAD_RULES,
        fits: fitting.fits,
        shown: (id) => ({ kind: "lead", id }),
        write: (decisions) => write(tx, undo, fitting, now, decisions),
      },
    ];
  },
};

/** A lead that was erased has nothing to undo. */
function recordOf(now: LeadNow | undefined, items: readonly HiddenItem[]): UndoRecord[] {
  if (now === undefined) return [];
  const own = items.flatMap(({ before, after }, order) =>
    Object.keys(before).map((field) => ({
      field,
      from: before[field] ?? null,
      to: after[field] ?? null,
      order,
    })),
  );
  return [
    { id: now.id, own, later: [], last: items.length, now: "there", read: (field) => readField(now, field) },
  ];
}

async function write(
  tx: Transaction,
  undo: Change,
  { patchOf }: Fitting,
  now: ReadonlyMap<string, LeadNow>,
  decisions: readonly Decision[],
): Promise<Written> {
  const isHidden = ({ id }: { id: string }) => now.get(id)?.deleted === true || now.get(id)?.merged === true;
  const sets = decisions.flatMap(({ id, op, back }) => (op === "set" ? [{ id, patch: patchOf(back) }] : []));
  const live = sets.filter((each) => !isHidden(each)).map((each, place) => ({ place, ...each }));
  await changeLeads(tx, undo, "set", live);
  await changeHidden(tx, undo, sets.filter(isHidden));
  return { refused: new Map() };
}
