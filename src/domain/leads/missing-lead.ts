import { notFound, Refusal } from "../../core/refusal.ts";
import type { Queryable } from "../../db/database.ts";

/** Who a lead became, over any number of merges; nobody where that one was deleted. */
const BECAME = `WITH RECURSIVE way (id, next) AS (
    SELECT id, merged_into_id FROM lead WHERE project_id = $1 AND id = $2
    UNION SELECT lead.id, lead.merged_into_id FROM lead JOIN way ON lead.id = way.next WHERE lead.project_id = $1
  ) SELECT way.id FROM way JOIN lead ON lead.project_id = $1 AND lead.id = way.id
    WHERE way.next IS NULL AND way.id <> $2 AND lead.deleted_at IS NULL`;

/** Why there is no such lead: it became another one, which the refusal names, or there is none. One statement. */
export async function missingLead(
  db: Pick<Queryable, "query">,
  projectId: string,
  id: string,
): Promise<Refusal> {
  const [became] = await db.query<{ id: string }>(BECAME, [projectId, id]);
  if (became === undefined) return notFound("lead");
  const message = `The lead was merged into ${became.id}. Use that one.`;
  return new Refusal("not_found", "merged", message, {
    faults: [{ path: "id", code: "merged", message: became.id }],
  });
}
