import { Type } from "typebox";
import { notFound, Refusal } from "../../../core/refusal.ts";
import type { Queryable } from "../../../db/pool/database.ts";

export const LeadId = Type.String({ description: "The lead's id, such as lead_01k3…" });

/** The surviving leads after any number of merges, unless those are deleted. */
const BECAME = `WITH RECURSIVE way (given, id, next) AS (
    SELECT id, id, merged_into_id FROM lead WHERE project_id = $1 AND id = ANY ($2::text[])
    UNION SELECT given, lead.id, lead.merged_into_id FROM lead JOIN way ON lead.id = way.next WHERE lead.project_id = $1
  ) SELECT way.given, way.id FROM way JOIN lead ON lead.project_id = $1 AND lead.id = way.id
    WHERE way.next IS NULL AND way.id <> way.given AND lead.deleted_at IS NULL`;

/** Returns the refusal for a missing lead; if it was merged, the refusal names the surviving lead. */
export async function missingLead(
  db: Pick<Queryable, "query">,
  projectId: string,
  id: string,
): Promise<Refusal> {
  return (await mergedLeads(db, projectId, [id])).get(id) ?? notFound("lead");
}

/** Returns a refusal for each of these leads that was merged, naming the surviving lead. */
export async function mergedLeads(
  db: Pick<Queryable, "query">,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Refusal>> {
  const became = await db.query<{ given: string; id: string }>(BECAME, [projectId, ids]);
  return new Map(became.map(({ given, id }) => [given, merged(id)]));
}

const merged = (into: string): Refusal =>
  new Refusal("not_found", "merged", `The lead was merged into ${into}. Use that lead.`, {
    faults: [{ path: "id", code: "merged", message: into }],
  });
