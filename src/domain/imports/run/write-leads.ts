import { NEW_LEAD_VALUES } from "../../../contract/lists/written-fields.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { customKey, isCustom } from "../../values/value.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import { columnsOf, type MappedLead } from "./lead-identity-map.ts";

/** Frees the external ids that leads of the batch give up, for other leads of it; the order of writes has no meaning. */
export const RELEASE = "UPDATE lead SET external_id = NULL WHERE project_id = $1 AND id = ANY ($2::text[])";

/** The values of a new lead whose cells are blank. */
export const blanksOf = ({ statuses }: Pick<ImportTarget, "statuses">): Record<string, unknown> => ({
  ...NEW_LEAD_VALUES,
  status: statuses[0] ?? "new",
});

/** Writes the new and changed leads of a batch, as JSON. `meanwhile` runs while only the database is working. */
export async function writeLeads(
  tx: Transaction,
  target: Pick<ImportTarget, "projectId" | "statuses">,
  importId: string,
  fields: readonly string[],
  leads: readonly MappedLead[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const { projectId } = target;
  const changed = leads.filter((lead) => lead.changed);
  const columns = columnsOf(fields);
  const blanks = blanksOf(target);
  const given = (some: readonly MappedLead[]) =>
    JSON.stringify(some.map((lead) => recordOf(lead, columns, blanks)));
  const fresh = changed.filter((lead) => lead.fresh);
  const known = changed.filter((lead) => !lead.fresh);
  const freed = known.filter(givesUpExternalId).map(({ id }) => id);
  const store = async () => {
    if (freed.length > 0) await tx.query(RELEASE, [projectId, freed]);
    if (fresh.length > 0) await tx.query(insertSql(columns), [projectId, importId, given(fresh)]);
    if (known.length > 0) await tx.query(updateSql(columns), [projectId, given(known)]);
  };
  await Promise.all([store(), meanwhile?.()]);
}

/** Whether its external id is free for other leads of the batch. */
export function givesUpExternalId({ before, values }: MappedLead): boolean {
  const had = before.get("external_id");
  return typeof had === "string" && had !== values.get("external_id");
}

/** Writers that create the same external ids in one order wait for each other, and do not deadlock. */
function insertSql(columns: readonly string[]): string {
  const list = columns.join(", ");
  return `INSERT INTO lead (project_id, id, import_id, ${list})
    SELECT $1, id, $2, ${list.replace(/\bcreated_at\b/, "coalesce(created_at, moment())")}
    FROM json_populate_recordset(NULL::lead, $3::json) ORDER BY external_id`;
}

function updateSql(columns: readonly string[]): string {
  const set = columns.filter((column) => column !== "created_at").map((column) => `${column} = s.${column}`);
  return `UPDATE lead SET ${set.join(", ")}, version = lead.version + 1, updated_at = moment()
    FROM json_populate_recordset(NULL::lead, $2::json) AS s WHERE lead.project_id = $1 AND lead.id = s.id`;
}

/** A lead's id and its values by column, for JSON. */
export function recordOf(
  lead: MappedLead,
  columns: readonly string[],
  blanks: Record<string, unknown>,
): Record<string, unknown> {
  const record: Record<string, unknown> = { id: lead.id };
  for (const column of columns)
    record[column] = column === "custom" ? customOf(lead) : (lead.values.get(column) ?? blanks[column]);
  return record;
}

const customOf = ({ values }: MappedLead): Record<string, unknown> =>
  Object.fromEntries(
    [...values].flatMap(([field, value]) =>
      value === null || !isCustom(field) ? [] : [[customKey(field), value]],
    ),
  );
