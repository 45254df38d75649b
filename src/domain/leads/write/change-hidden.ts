import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordItems } from "../../changes/record-items.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";

const BATCH = 1_000;

const WRITE = `WITH given AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (id text, patch jsonb)
  ), held AS MATERIALIZED (
    SELECT id, status, custom FROM lead WHERE project_id = $1 AND id = ANY (SELECT id FROM given) ORDER BY id FOR NO KEY UPDATE
  ) UPDATE lead SET status = coalesce(patch ->> 'status', lead.status),
    custom = jsonb_strip_nulls(lead.custom || coalesce(patch -> 'custom', '{}'))
  FROM given JOIN held ON held.id = given.id WHERE lead.project_id = $1 AND lead.id = held.id
  RETURNING lead.id, held.status, held.custom`;

/**
 * Changes the status and custom fields of leads that are deleted, or merged into others: nobody sees them, so their versions
 * stay and their timelines do not tell it. The change keeps what they had.
 */
export async function changeHidden(
  tx: Transaction,
  change: Change,
  leads: readonly { id: string; patch: LeadPatch }[],
): Promise<void> {
  for (let at = 0; at < leads.length; at += BATCH) await changeSome(tx, change, leads.slice(at, at + BATCH));
}

async function changeSome(
  tx: Transaction,
  change: Change,
  leads: readonly { id: string; patch: LeadPatch }[],
): Promise<void> {
  const values = [change.by.projectId, JSON.stringify(leads)];
  const former = await tx.query<{ id: string; status: string; custom: Record<string, unknown> }>(
    WRITE,
    values,
  );
  const patches = new Map(leads.map(({ id, patch }) => [id, patch]));
  const items = former.map(({ id, status, custom }) => {
    const { custom: own = {}, ...fields } = patches.get(id) ?? {};
    const keys = Object.keys(own);
    return {
      ...{ kind: "hidden" as const, recordId: id },
      before: {
        ...("status" in fields ? { status } : {}),
        ...Object.fromEntries(keys.map((key) => [`custom.${key}`, custom[key] ?? null])),
      },
      after: { ...fields, ...Object.fromEntries(keys.map((key) => [`custom.${key}`, own[key] ?? null])) },
    };
  });
  await recordItems(tx, change, {}, items);
}
