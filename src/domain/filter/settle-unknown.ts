import { malformed } from "../../core/refusal.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { NO_ESTIMATES } from "../fields/project-schema.ts";
import type { Service } from "../operation/service/service.ts";
import { warn } from "../operation/service/warn.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import { type UnknownOption, unknownOptionFault } from "./read/read-option.ts";
import { StatementScope } from "./sql/statement-scope.ts";
import { exactSql } from "./sql/text-sql.ts";

/** How many values are looked up among the leads, and listed by an error or a warning. */
export const MOST_LISTED = 20;

/**
 * Refuses values that are no option, or warns of them: surfaces that keep their answers and saved views, whose option
 * may have been removed after they were saved, are only warned of.
 */
export function settleUnknown(service: Pick<Service, "origin">, unknown: readonly UnknownOption[]): void {
  const refuses = service.origin?.refusesUnknown === true;
  const refused = unknown.filter(({ view }) => refuses && view === undefined);
  if (refused.length > 0) throw malformed(refused.slice(0, MOST_LISTED).map(unknownOptionFault));
  if (service.origin?.warnings !== undefined)
    warn(service, unknown.slice(0, MOST_LISTED).map(unknownOptionFault));
}

/**
 * Returns those that no lead has: an import that began earlier may still write an option that was removed. The
 * caller's own values come before those of views, which refuse nothing.
 */
export async function heldByNone(
  db: Pick<Queryable, "query">,
  projectId: string,
  unknown: readonly UnknownOption[],
): Promise<UnknownOption[]> {
  const asked = [...unknown]
    .sort((a, b) => Number(a.view !== undefined) - Number(b.view !== undefined))
    .slice(0, MOST_LISTED);
  if (asked.length === 0) return [];
  const scope = new StatementScope(projectId, undefined, { ...NO_ESTIMATES, wanted: 1 });
  const held = asked.map(({ field, value }) =>
    field.column === "status" || field.column === "custom"
      ? `EXISTS (SELECT FROM lead WHERE project_id = ${scope.project} AND ${NOT_DELETED} AND ${exactSql(field, [value], scope)})`
      : `${scope.project} IS NULL`,
  );
  const [row] = await db.query<{ held: boolean[] }>(
    `SELECT ARRAY[${held.join(", ")}] AS held`,
    scope.parameters.values,
  );
  return asked.filter((_, i) => row?.held[i] !== true);
}
