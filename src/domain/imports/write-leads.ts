import type { Transaction } from "../../db/database.ts";
import { arrayText, type CopyCell, copyChunks, copyIn } from "./copy-in.ts";
import { columnsOf } from "./find-leads.ts";
import { NEW_LEAD_VALUES } from "./import-field.ts";
import type { ImportTarget } from "./import-target.ts";
import type { BookedLead } from "./lead-book.ts";
import { customKey, isCustom, type Value } from "./value.ts";

/** Writes the new and the changed leads of a batch, staged by COPY and set in through the project's view. */
export async function writeLeads(
  tx: Transaction,
  target: ImportTarget,
  importId: string,
  fields: readonly string[],
  leads: readonly BookedLead[],
): Promise<void> {
  const changed = leads.filter((lead) => lead.changed);
  if (changed.length === 0) return;
  const columns = columnsOf(fields);
  const list = columns.join(", ");
  await tx.query(`CREATE TEMP TABLE staged_lead ON COMMIT DROP AS
    SELECT false AS fresh, id, ${list} FROM lead WITH NO DATA`);
  const blanks: Record<string, Value> = { ...NEW_LEAD_VALUES, status: target.statuses[0] ?? "new" };
  await copyIn(tx, "staged_lead", ["fresh", "id", ...columns], copyChunks(rowsOf(changed, columns, blanks)));
  const given = columns.map((column) =>
    column === "created_at" ? "coalesce(created_at, moment())" : column,
  );
  if (changed.some((lead) => lead.fresh)) {
    await tx.query(
      `INSERT INTO lead (project_id, id, import_id, ${list})
       SELECT $1, id, $2, ${given.join(", ")} FROM staged_lead WHERE fresh`,
      [target.projectId, importId],
    );
  }
  if (changed.some((lead) => !lead.fresh)) {
    const kept = columns.filter((column) => column !== "created_at");
    await tx.query(
      `UPDATE lead SET ${kept.map((column) => `${column} = s.${column}`).join(", ")},
         version = lead.version + 1, updated_at = moment()
       FROM staged_lead s WHERE NOT s.fresh AND lead.project_id = $1 AND lead.id = s.id`,
      [target.projectId],
    );
  }
}

function* rowsOf(
  leads: readonly BookedLead[],
  columns: readonly string[],
  blanks: Record<string, Value>,
): Generator<CopyCell[]> {
  for (const lead of leads) {
    const cells = columns.map((column) =>
      column === "custom" ? customText(lead) : cellOf(lead.values.get(column) ?? blanks[column] ?? null),
    );
    yield [lead.fresh, lead.id, ...cells];
  }
}

const cellOf = (value: Value | null): CopyCell => (Array.isArray(value) ? arrayText(value) : value);

function customText(lead: BookedLead): string {
  const custom = [...lead.values].filter(([field]) => isCustom(field));
  return JSON.stringify(Object.fromEntries(custom.map(([field, value]) => [customKey(field), value])));
}
