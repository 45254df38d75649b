import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordItems } from "../../changes/record-items.ts";
import { changeLeads } from "../write/change-leads.ts";
import { readFitting } from "./fitting.ts";
import { readField, sameStored } from "./lead-effect.ts";
import { lockLeads } from "./read-effects.ts";

const BATCH = 500;

interface HiddenItem {
  id: string;
  lead: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

const NEXT = `SELECT id, record_id AS lead, before, after FROM change_item
  WHERE project_id = $1 AND change_id = $2 AND kind = 'hidden' AND id > $3 ORDER BY id LIMIT ${BATCH}`;

const WRITE = `UPDATE lead SET custom = (lead.custom || g.custom) - g.cleared, status = coalesce(g.status, lead.status)
  FROM jsonb_to_recordset($2::jsonb) AS g (id text, custom jsonb, cleared text[], status text)
  WHERE lead.project_id = $1 AND lead.id = g.id`;

/**
 * Takes back what a change did to values of leads that were deleted or merged, which has no events: removed custom fields
 * and statuses. Those that are back by now are changed like others. Returns the item behind which the next batch continues.
 */
export async function undoHidden(
  tx: Transaction,
  undo: Change,
  of: string,
  after: string,
): Promise<string | null> {
  const { projectId } = undo.by;
  const items = await tx.query<HiddenItem>(NEXT, [projectId, of, after]);
  if (items.length === 0) return null;
  const { fits, patchOf } = await readFitting(tx, projectId);
  const now = await lockLeads(
    tx,
    projectId,
    items.map(({ lead }) => lead),
  );
  const backs = items.flatMap(({ lead, before, after }) => {
    const current = now.get(lead);
    if (current === undefined) return [];
    const back = Object.keys(before).filter(
      (field) =>
        sameStored(readField(current, field), after[field] ?? null) && fits(field, before[field] ?? null),
    );
    if (back.length === 0) return [];
    return [
      {
        id: lead,
        hidden: current.deleted || current.merged,
        back: pick(before, back),
        from: pick(after, back),
      },
    ];
  });
  const live = backs.filter(({ hidden }) => !hidden);
  const patches = live.map(({ id, back }, place) => ({
    place,
    id,
    patch: patchOf(new Map(Object.entries(back))),
  }));
  await changeLeads(tx, undo, "set", patches);
  const hidden = backs.filter((each) => each.hidden);
  if (hidden.length > 0) {
    const given = hidden.map(({ id, back }) => {
      const { custom = {}, status = null } = patchOf(new Map(Object.entries(back)));
      const cleared = Object.keys(custom).filter((name) => custom[name] === null);
      return { id, custom, cleared, status };
    });
    await tx.query(WRITE, [projectId, JSON.stringify(given)]);
    const own = hidden.map(({ id, back, from }) => {
      return { kind: "hidden", recordId: id, before: from, after: back } as const;
    });
    await recordItems(tx, undo, {}, own);
  }
  return items.length < BATCH ? null : (items.at(-1)?.id ?? null);
}

const pick = (values: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
