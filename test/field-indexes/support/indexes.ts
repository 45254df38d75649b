import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { noteSlow, type WantedIndex } from "../../../src/domain/field-index/learn.ts";
import type { World } from "../../world.ts";

/** A row of the table of indexes. */
interface Index {
  id: number;
  project_id: string;
  field: string;
  kind: "order" | "parts";
  cut: boolean;
  leads: number;
  built: boolean;
  requested: boolean;
}

const TABLES = ["lead_order_text", "lead_order_number", "lead_order_moment", "lead_parts"] as const;

/** Returns the indexes that are not dropped, in the order in which they were made. */
export const indexesOf = (the: World): Promise<Index[]> =>
  the.sql<Index>(`SELECT id, project_id, field, kind, cut, leads, requested, built_at IS NOT NULL AS built
    FROM store.field_index WHERE dropped_at IS NULL ORDER BY id`);

/** Tells the service twice that a statement was slow without these indexes. */
export function want(the: World, wanted: readonly WantedIndex[], projectId = the.project.id): void {
  for (let times = 0; times < 2; times += 1) noteSlow(the.service, projectId, wanted);
}

/** Waits until so many indexes are there and all of them are built. */
export async function built(the: World, count: number): Promise<Index[]> {
  for (;;) {
    const indexes = await indexesOf(the);
    if (indexes.length >= count && indexes.every((index) => index.built)) return indexes;
    await sleep(20);
  }
}

/** Waits until nothing of dropped indexes is left. */
export async function removed(the: World): Promise<void> {
  const left = () => the.sql("SELECT FROM store.field_index WHERE dropped_at IS NOT NULL LIMIT 1");
  while ((await left()).length > 0) await sleep(20);
}

/** What leads have of a field, as filters and sorts compute it, with its table; written apart from the service's own way. */
const VALUES: Readonly<Record<string, readonly [table: string, sql: string]>> = {
  company: ["lead_order_text", "fold(company)"],
  phone: ["lead_order_text", "fold(phone)"],
  job_title: ["lead_order_text", "fold(job_title)"],
  owner_id: ["lead_order_text", "owner_id"],
  status: ["lead_order_text", "status"],
  do_not_contact: ["lead_order_text", "do_not_contact::text"],
  "email@": ["lead_order_text", "lower(substring(email FROM '@([^@]*)$'))"],
  value: ["lead_order_number", "value"],
  version: ["lead_order_number", "version"],
  updated_at: ["lead_order_moment", "updated_at"],
  "custom.plan": ["lead_order_text", "custom ->> 'plan'"],
  "custom.note": ["lead_order_text", "left(fold(custom ->> 'note'), 500)"],
  "custom.agreed": ["lead_order_text", "custom ->> 'agreed'"],
  "custom.seats": [
    "lead_order_number",
    "CASE WHEN jsonb_typeof(custom -> 'seats') = 'number' THEN (custom ->> 'seats')::float8 END",
  ],
  "custom.due": ["lead_order_moment", "custom_moment(custom ->> 'due', 'UTC')"],
};

/** The fields of which an order can be compared with the leads. */
export const ORDERED = Object.keys(VALUES);

const PARTS: Readonly<Record<string, string>> = {
  company: "fold(company)",
  job_title: "fold(job_title)",
  "custom.note": "fold(custom ->> 'note')",
};

/** The fields of which an index of parts can be compared with the leads. */
export const PARTED = Object.keys(PARTS);

/** Every index has exactly the values of the living leads of its project, each once. */
export async function inStep(the: World): Promise<void> {
  for (const { id, project_id: projectId, field, kind } of await indexesOf(the)) {
    const [table, sql] =
      kind === "order"
        ? (VALUES[field] ?? assert.fail(field))
        : ["lead_parts", PARTS[field] ?? assert.fail(field)];
    const should = `SELECT id, ${sql} AS value FROM store.lead WHERE project_id = $1 AND deleted_at IS NULL
      AND merged_into_id IS NULL${kind === "parts" ? ` AND ${sql} IS NOT NULL` : ""}`;
    const does = `SELECT lead_id, value FROM store.${table} WHERE project_id = $1 AND index_id = $2`;
    const wrong = await the.sql(
      `SELECT 'missing' AS what, missing.* FROM (${should} EXCEPT ALL ${does}) AS missing
       UNION ALL SELECT 'left', unasked.* FROM (${does} EXCEPT ALL ${should}) AS unasked LIMIT 10`,
      [projectId, id],
    );
    assert.deepEqual(wrong, [], `${field} ${kind}`);
  }
}

/** How many values all tables have. */
export async function valuesStored(the: World): Promise<number> {
  const sums = TABLES.map((table) => `(SELECT count(*) FROM store.${table})`).join(" + ");
  return Number((await the.sql<{ n: number }>(`SELECT ${sums} AS n`))[0]?.n);
}
