import type { Transaction } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { changeBy } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
import type { Link } from "../fields/link.ts";
import type { Sealing, Service } from "../operation/service/service.ts";
import { OWN_TX, placeSql, toldSql } from "../sql/feed-sql.ts";
import { e164Of } from "../values/read-phone.ts";

const BATCH = 500;

/** A lead's number as it was read formerly, and as it is read now. */
interface Number {
  id: string;
  former: string | null;
  now: string | null;
}

/**
 * Reads numbers again that former versions may have read differently (migration 0037 lists their leads), so that
 * leads are found by what the same text means today. Works in batches; after a crash, the next call continues.
 */
export async function rereadPhones(service: Pick<Service, "db"> & Sealing): Promise<void> {
  const { db } = service;
  const waiting = await db.visitAll<{ id: string }>("SELECT DISTINCT project_id AS id FROM phone_to_read");
  for (const { id } of waiting)
    while (await db.behind(serviceDoor(id)).transaction((tx) => rereadSome(service, tx, id)));
}

const DATASETS = `SELECT id, lead_link FROM dataset
  WHERE project_id = $1 AND lead_link ->> 'match' = 'phone' ORDER BY id FOR NO KEY UPDATE`;

const LEADS = `SELECT l.id, l.phone, l.phone_e164 AS former, p.default_country AS country
  FROM phone_to_read w JOIN lead l ON l.project_id = $1 AND l.id = w.lead_id JOIN project p ON p.project_id = $1
  WHERE w.project_id = $1 ORDER BY l.id LIMIT ${BATCH} FOR UPDATE OF l`;

const READ = "DELETE FROM phone_to_read WHERE project_id = $1 AND lead_id = ANY ($2::text[])";

const GIVEN = "jsonb_to_recordset($2::jsonb) AS g (id text, former text, now text, cell jsonb)";

/** Custom phone fields keep no text; those with the lead's own number were read as it was. */
const CORRECT = `UPDATE lead l SET phone_e164 = g.now, custom = l.custom || coalesce((
    SELECT jsonb_object_agg(f.key, g.now) FROM custom_field f
    WHERE f.project_id = $1 AND f.type = 'phone' AND l.custom ->> f.key = g.former AND g.now IS NOT NULL), '{}')
  FROM ${GIVEN} WHERE l.project_id = $1 AND l.id = g.id`;

/**
 * Rows of a former number that no lead has any more follow their lead. Where another row has the number already, both
 * have it: rows that are not linked would not be erased with their person.
 */
const FOLLOW = (side: 0 | 1): string => `WITH moved AS (
    UPDATE dataset_row r SET link${side} = g.now, cells = jsonb_set(r.cells, ARRAY[$4::text], g.cell)
    FROM ${GIVEN} WHERE r.project_id = $1 AND r.dataset_id = $3 AND r.link${side} = g.former
      AND NOT EXISTS (SELECT FROM lead l WHERE l.project_id = $1 AND l.phone_e164 = g.former)
    RETURNING r.id, g.former, g.now
  ), freed AS (
    DELETE FROM dataset_unique u USING moved WHERE u.project_id = $1 AND u.dataset_id = $3 AND u.slot = $4
      AND u.row_id = moved.id AND u.value = unique_value(moved.former, false) RETURNING u.row_id, moved.now
  ) INSERT INTO dataset_unique (project_id, dataset_id, slot, value, row_id)
    SELECT $1, $3, $4, unique_value(now, false), row_id FROM freed ON CONFLICT DO NOTHING`;

/** Puts the items of locked leads behind what the feed told of these before. */
const PLACE = `WITH ${OWN_TX}, held AS MATERIALIZED (
    SELECT id, version, ${toldSql("last_tx")} FROM lead WHERE project_id = $1 AND id = ANY ($3)
  ), moved AS (
    UPDATE lead SET last_tx = held.tx FROM held WHERE lead.project_id = $1 AND lead.id = held.id
  ), placed AS (
    UPDATE change_item i SET tx = held.tx, version = held.version, place = ${placeSql("i.id", "held.version")}
    FROM held WHERE i.project_id = $1 AND i.change_id = $2 AND i.record_id = held.id AND i.told
  ) SELECT`;

/** Records the numbers as a change of the service, which the feed tells: mirrors have them, too. */
async function tell(
  service: Sealing,
  tx: Transaction,
  projectId: string,
  changed: readonly Number[],
): Promise<void> {
  const actor = { type: "cli", id: null, label: "Leadgate" } as const;
  const change = changeBy(service, { kind: "named", projectId, actor, surface: "service" }, "phones.read");
  const items = changed.map(({ id, former, now }) => {
    const [before, after] = [{ phone_e164: former }, { phone_e164: now }];
    return { kind: "lead", recordId: id, before, after, told: true } as const;
  });
  await recordItems(tx, change, { leads_updated: changed.length }, items);
  await tx.query(PLACE, [projectId, change.id, changed.map(({ id }) => id)]);
}

/** Reads a batch; returns whether more may remain. */
async function rereadSome(service: Sealing, tx: Transaction, projectId: string): Promise<boolean> {
  const datasets = await tx.query<{ id: string; lead_link: Link }>(DATASETS, [projectId]);
  const leads = await tx.query<{
    id: string;
    phone: string | null;
    former: string | null;
    country: string | null;
  }>(LEADS, [projectId]);
  const changed: Number[] = leads
    .map(({ id, phone, former, country }) => ({ id, former, now: phone && e164Of(phone, country) }))
    .filter(({ former, now }) => now !== former);
  if (changed.length > 0) {
    await tx.query(CORRECT, [projectId, JSON.stringify(changed)]);
    await tell(service, tx, projectId, changed);
  }
  const moved = changed.filter(({ former, now }) => former !== null && now !== null);
  const given = JSON.stringify(moved.map((number) => ({ ...number, cell: number.now })));
  if (moved.length > 0)
    for (const { id, lead_link: link } of datasets)
      await tx.query(FOLLOW(link.side), [projectId, given, id, link.slot]);
  await tx.query(READ, [projectId, leads.map(({ id }) => id)]);
  return leads.length === BATCH;
}
