import { NEW_LEAD_VALUES } from "../../../contract/lists/written-fields.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { arrayText, type CopyCell, copyChunks, copyIn } from "../../sql/copy-in.ts";
import { customKey, isCustom } from "../../values/value.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import { columnsOf, type MappedLead } from "./lead-identity-map.ts";

/** Stores the old and new values of a changed lead with the import, so that it can be undone. */
const CHANGED = `INSERT INTO import_change (project_id, import_id, lead_id, version, before, after)
  SELECT $1, $2, written.id, written.version, s.before, s.after FROM written JOIN staged_lead s ON s.id = written.id
  ON CONFLICT (project_id, import_id, lead_id) DO UPDATE SET version = EXCLUDED.version,
    before = EXCLUDED.before || import_change.before, after = import_change.after || EXCLUDED.after`;

/** Frees the external ids that leads of the batch give up, for other leads of it; the order of writes has no meaning. */
const RELEASE = `UPDATE lead SET external_id = NULL FROM staged_lead s
  WHERE NOT s.fresh AND lead.project_id = $1 AND lead.id = s.id AND lead.external_id IS DISTINCT FROM s.external_id`;

/** Kept per connection, because creating it for every batch would write a hundred catalog rows each time. */
const STAGE = `CREATE TEMP TABLE IF NOT EXISTS staged_lead ON COMMIT DELETE ROWS AS
  SELECT false AS fresh, NULL::jsonb AS before, NULL::jsonb AS after, lead.* FROM lead WITH NO DATA`;

/** The values of a new lead whose cells are blank. */
export const blanksOf = ({ statuses }: Pick<ImportTarget, "statuses">): Record<string, unknown> => ({
  ...NEW_LEAD_VALUES,
  status: statuses[0] ?? "new",
});

/**
 * Writes the new and changed leads of a batch by COPY to a staging table and through the project's view. Without an
 * import id nothing is stored for an undo, because this is an undo. `meanwhile` runs while only the database is
 * working.
 */
export async function writeLeads(
  tx: Transaction,
  target: Pick<ImportTarget, "projectId" | "statuses">,
  importId: string | null,
  fields: readonly string[],
  leads: readonly MappedLead[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const changed = leads.filter((lead) => lead.changed);
  const columns = columnsOf(fields);
  if (changed.length > 0) {
    await tx.query(STAGE);
    const rows = rowsOf(changed, columns, blanksOf(target));
    await copyIn(tx, "staged_lead", ["fresh", "before", "after", "id", ...columns], copyChunks(rows));
  }
  await Promise.all([store(tx, target.projectId, importId, columns, changed), meanwhile?.()]);
}

async function store(
  tx: Transaction,
  projectId: string,
  importId: string | null,
  columns: readonly string[],
  changed: readonly MappedLead[],
): Promise<void> {
  const list = columns.join(", ");
  if (changed.some((lead) => !lead.fresh && typeof lead.before.get("external_id") === "string"))
    await tx.query(RELEASE, [projectId]);
  if (changed.some((lead) => lead.fresh)) {
    // Writers that create the same external ids in one order wait for each other, and do not deadlock.
    const given = list.replace(/\bcreated_at\b/, "coalesce(created_at, moment())");
    await tx.query(
      `INSERT INTO lead (project_id, id, import_id, ${list})
       SELECT $1, id, $2, ${given} FROM staged_lead WHERE fresh ORDER BY external_id`,
      [projectId, importId],
    );
  }
  if (changed.some((lead) => !lead.fresh)) {
    const kept = columns.filter((column) => column !== "created_at");
    const update = `UPDATE lead SET ${kept.map((column) => `${column} = s.${column}`).join(", ")},
         version = lead.version + 1, updated_at = moment()
       FROM staged_lead s WHERE NOT s.fresh AND lead.project_id = $1 AND lead.id = s.id`;
    if (importId === null) await tx.query(update, [projectId]);
    else
      await tx.query(`WITH written AS (${update} RETURNING lead.id, lead.version) ${CHANGED}`, [
        projectId,
        importId,
      ]);
  }
}

function* rowsOf(
  leads: readonly MappedLead[],
  columns: readonly string[],
  blanks: Record<string, unknown>,
): Generator<CopyCell[]> {
  for (const lead of leads) {
    const [before, after] = lead.fresh ? [null, null] : changesOf(lead);
    yield [lead.fresh, before, after, lead.id, ...cellsOf(lead, columns, blanks)];
  }
}

function changesOf({ before, values }: MappedLead): [before: string, after: string] {
  const after = [...before.keys()].map((field) => [field, values.get(field) ?? null]);
  return [JSON.stringify(Object.fromEntries(before)), JSON.stringify(Object.fromEntries(after))];
}

/** A lead's values as cells for COPY, in the order of the columns. */
export const cellsOf = (
  lead: MappedLead,
  columns: readonly string[],
  blanks: Record<string, unknown>,
): CopyCell[] =>
  columns.map((column) =>
    column === "custom" ? customText(lead) : cellOf(lead.values.get(column) ?? blanks[column] ?? null),
  );

const cellOf = (value: unknown): CopyCell =>
  Array.isArray(value) ? arrayText(value as string[]) : (value as CopyCell);

function customText(lead: MappedLead): string {
  const pairs: string[] = [];
  for (const [field, value] of lead.values) {
    if (value === null || !isCustom(field)) continue;
    pairs.push(`${JSON.stringify(customKey(field))}:${JSON.stringify(value)}`);
  }
  return `{${pairs.join(",")}}`;
}
