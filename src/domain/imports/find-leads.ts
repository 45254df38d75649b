import { isoMoment } from "../../core/moment.ts";
import type { Transaction } from "../../db/database.ts";
import { LeadBook } from "./lead-book.ts";
import type { ReadRow } from "./read-row.ts";
import { takeTurns } from "./take-turns.ts";
import { CUSTOM, isCustom, type Patch, type Value } from "./value.ts";

const IDENTITIES = ["external_id", "email"];

/** Locks and reads every living lead that one of the rows may mean, with the keys of its events. */
export async function findLeads(
  tx: Transaction,
  projectId: string,
  fields: readonly string[],
  rows: readonly ReadRow[],
): Promise<LeadBook> {
  const patches = rows.flatMap((row) => (row.kind === "lead" ? [row.patch] : []));
  const columns = columnsOf(fields);
  const found = await tx.query<Record<string, unknown> & { id: string }>(
    `SELECT id, ${columns.join(", ")} FROM lead
     WHERE project_id = $1 AND deleted_at IS NULL
       AND (external_id = ANY($2) OR lower(email) = ANY($3))
     ORDER BY id FOR NO KEY UPDATE`,
    [projectId, texts(patches, "external_id"), texts(patches, "email").map((email) => email.toLowerCase())],
  );
  const keys = rows.some((row) => row.kind === "lead" && row.events.length > 0)
    ? await eventKeys(
        tx,
        projectId,
        found.map(({ id }) => id),
      )
    : new Map<string, Set<string>>();
  const book = new LeadBook();
  const turn = takeTurns();
  for (const row of found) {
    await turn();
    const events = keys.get(row.id) ?? new Set<string>();
    book.add({ id: row.id, fresh: false, changed: false, values: valuesOf(row, columns), events });
  }
  return book;
}

/** The columns of `lead` that hold these fields, the identities always among them. */
export function columnsOf(fields: readonly string[]): string[] {
  const columns = fields.map((field) => (isCustom(field) ? "custom" : field));
  return [...new Set([...IDENTITIES, ...columns])];
}

const texts = (patches: readonly Patch[], field: string): string[] =>
  patches.map((patch) => patch.get(field)).filter((value) => typeof value === "string");

async function eventKeys(
  tx: Transaction,
  projectId: string,
  leads: string[],
): Promise<Map<string, Set<string>>> {
  if (leads.length === 0) return new Map();
  const found = await tx.query<{ lead_id: string; keys: string[] }>(
    `SELECT lead_id, array_agg(external_id) AS keys FROM event
     WHERE project_id = $1 AND lead_id = ANY($2) AND external_id IS NOT NULL GROUP BY lead_id`,
    [projectId, leads],
  );
  return new Map(found.map(({ lead_id, keys }) => [lead_id, new Set(keys)]));
}

function valuesOf(row: Record<string, unknown>, columns: readonly string[]): Map<string, Value | null> {
  const values = new Map<string, Value | null>();
  for (const column of columns) {
    const value = row[column];
    if (column !== "custom") values.set(column, value instanceof Date ? isoMoment(value) : stored(value));
    else for (const [key, custom] of Object.entries(value ?? {})) values.set(CUSTOM + key, stored(custom));
  }
  return values;
}

/** What the driver gives for our column types is a Value already. */
const stored = (value: unknown): Value | null => (value ?? null) as Value | null;
