import { NEW_LEAD_VALUES } from "../../../contract/lists/written-fields.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { arrayText, type CopyCell, copyChunks, copyIn } from "../../sql/copy-in.ts";
import { customKey, isCustom } from "../../values/value.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import { columnsOf, type MappedLead } from "./lead-identity-map.ts";

/** Frees the external ids that leads of the batch give up, for other leads of it; the order of writes has no meaning. */
const RELEASE = `UPDATE lead SET external_id = NULL FROM staged_lead s
  WHERE NOT s.fresh AND lead.project_id = $1 AND lead.id = s.id AND lead.external_id IS DISTINCT FROM s.external_id`;

/** Kept per connection, because creating it for every batch would write a hundred catalog rows each time. */
const STAGE = `CREATE TEMP TABLE IF NOT EXISTS staged_lead ON COMMIT DELETE ROWS AS
  SELECT false AS fresh, lead.* FROM lead WITH NO DATA`;

/** The values of a new lead whose cells are blank. */
export const blanksOf = ({ statuses }: Pick<ImportTarget, "statuses">): Record<string, unknown> => ({
  ...NEW_LEAD_VALUES,
  status: statuses[0] ?? "new",
});

/**
 * Writes the new and changed leads of a batch by COPY to a staging table and through the project's view. `meanwhile` runs while only the database is
 * working.
 */
export async function writeLeads(
  tx: Transaction,
  target: Pick<ImportTarget, "projectId" | "statuses">,
  importId: string,
  fields: readonly string[],
  leads: readonly MappedLead[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const changed = leads.filter((lead) => lead.changed);
  const columns = columnsOf(fields);
  if (changed.length > 0) {
    await tx.query(STAGE);
    const rows = rowsOf(changed, columns, blanksOf(target));
    await copyIn(tx, "staged_lead", ["fresh", "id", ...columns], copyChunks(rows));
  }
  await Promise.all([store(tx, target.projectId, importId, columns, changed), meanwhile?.()]);
}

async function store(
  tx: Transaction,
  projectId: string,
  importId: string,
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
    await tx.query(update, [projectId]);
  }
}

function* rowsOf(
  leads: readonly MappedLead[],
  columns: readonly string[],
  blanks: Record<string, unknown>,
): Generator<CopyCell[]> {
  for (const lead of leads) {
    yield [lead.fresh, lead.id, ...cellsOf(lead, columns, blanks)];
  }
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
