import { Type } from "typebox";
import { notFound, Refusal } from "../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../db/pool/database.ts";
import { type Change, newChange } from "../changes/change.ts";
import type { ChangeItem } from "../changes/change-items.ts";
import { standsAgain } from "../changes/mark-undone.ts";
import { recordItems } from "../changes/record-items.ts";
import { buildBehind } from "../field-index/build-indexes.ts";
import { dropIndexesOf } from "../field-index/requested-index.ts";
import { changeHidden } from "../leads/write/change-hidden.ts";
import { changeLeads } from "../leads/write/change-leads.ts";
import { may } from "../operation/may-sql.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import { DEFINITION } from "./field-input.ts";
import { NAMED_IN_VIEW } from "./named-in-view.ts";

const BATCH = 1_000;
const COUNTED = 10_000;

const USED = `SELECT
    (SELECT count(*) FROM (SELECT FROM lead WHERE project_id = $1 AND custom ? $2 AND ${NOT_DELETED} LIMIT ${COUNTED + 1}) AS having_it)::int AS leads,
    ARRAY(SELECT id FROM saved_view WHERE project_id = $1 AND ${NAMED_IN_VIEW} ORDER BY id LIMIT 20) AS views
  FROM custom_field WHERE project_id = $1 AND key = $2`;

const NEXT = `SELECT id FROM lead WHERE project_id = $1 AND custom ? $2 AND ${NOT_DELETED} AND id > $3 ORDER BY id LIMIT ${BATCH}`;

const LOCK = `SELECT ${DEFINITION} AS definition FROM custom_field f WHERE project_id = $1 AND key = $2 FOR UPDATE`;
/** Deleted and merged leads. */
const REST = `SELECT id FROM lead WHERE project_id = $1 AND custom ? $2 AND NOT (${NOT_DELETED}) ORDER BY id FOR NO KEY UPDATE`;
const DELETE = "DELETE FROM custom_field WHERE project_id = $1 AND key = $2";

/**
 * Deletes a field; 409 while leads have a value or views name it, unless `force` is set. With `force` the values
 * are removed first, a thousand leads at a time and recorded on their timelines, so an interrupted deletion can be
 * repeated.
 */
export const deleteField = memberOperation({
  name: "fields.delete",
  needs: "schema:write",
  input: Type.Object(
    { key: Type.String(), force: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  async run(context, { key, force = false }): Promise<void> {
    const { service, db, caller } = context;
    await checked(context, () => {
      if (key.includes("\0") || !key.isWellFormed()) throw notFound("field");
    });
    const own = [caller.projectId, key];
    const [used] = await db.query<{ leads: number; views: string[] }>(USED, own);
    if (used === undefined) throw notFound("field");
    if (!force && used.leads + used.views.length > 0)
      throw (await may(db, caller, "leads:read")) ? fieldUsed(key, used) : fieldUsedSomewhere(key);
    const change = newChange(context, "field.delete", { about: { field: key } });
    if (used.leads > 0) await emptyIt(db, caller.projectId, change, key);
    await db.transaction(async (tx) => {
      await tx.allow(60_000);
      const [field] = await tx.query<{ definition: object }>(LOCK, own);
      if (field === undefined) throw notFound("field");
      // Values that were written meanwhile, perhaps by an undo of this change.
      await emptyIt(tx, caller.projectId, change, key);
      const definition: ChangeItem = { kind: "field", recordId: key, before: field.definition, after: null };
      await recordItems(tx, change, { fields_changed: 1 }, [definition]);
      const rest = await tx.query<{ id: string }>(REST, own);
      await changeHidden(
        tx,
        change,
        rest.map(({ id }) => ({ id, patch: { custom: { [key]: null } } })),
      );
      await standsAgain(tx, change);
      await dropIndexesOf(tx, caller.projectId, key);
      await tx.query(DELETE, own);
    });
    buildBehind(service, caller.projectId);
  },
});

async function emptyIt(
  db: ProjectDb | Transaction,
  projectId: string,
  change: Change,
  key: string,
): Promise<void> {
  let after = "";
  for (let more = true; more; ) {
    const batch = await db.query<{ id: string }>(NEXT, [projectId, key, after]);
    await changeLeads(
      db,
      change,
      "set",
      batch.map(({ id }, place) => ({ place, id, patch: { custom: { [key]: null } } })),
    );
    after = batch.at(-1)?.id ?? "";
    more = batch.length === BATCH;
  }
}

/** The same for callers who may not read leads. */
function fieldUsedSomewhere(key: string): Refusal {
  const message = `Leads have a value of ${key}, or saved views use it. Send force=true to delete the values, too.`;
  return new Refusal("conflict", "field_used", message);
}

function fieldUsed(key: string, { leads, views }: { leads: number; views: string[] }): Refusal {
  const number = leads > COUNTED ? `more than ${COUNTED.toLocaleString("en")}` : String(leads);
  const message = `${number} leads have a value of ${key}, and ${views.length} saved views use it. Send force=true to delete the values, too.`;
  return new Refusal("conflict", "field_used", message, {
    faults: [
      { path: "leads", code: "field_used", message: String(leads) },
      ...views.map((id) => ({ path: "views", code: "field_used", message: id })),
    ],
  });
}
