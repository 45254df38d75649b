import type { ChangeCount } from "../../contract/lists/changes.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { actorSql } from "../operation/actor.ts";
import { Parameters } from "../sql/parameters.ts";
import { type Change, made, surfaceOf } from "./change.ts";

/**
 * Returns the CTE `author` for a statement behind the author's door: the `actor` of a change as jsonb, and the `person`, the id of
 * who makes it, also through an application.
 */
export function authorSql(change: Change, parameters: Parameters): string {
  const { by } = change;
  const actor =
    by.kind === "named" ? `${parameters.text(JSON.stringify(by.actor))}::jsonb` : actorSql(by, parameters);
  return `author AS MATERIALIZED (SELECT ${actor} AS actor, ${personSql(change, parameters)} AS person)`;
}

function personSql({ by }: Change, parameters: Parameters): string {
  if (by.kind === "person") return parameters.text(by.personId);
  if (by.kind !== "token") return "NULL::text";
  return `(SELECT a.person_id FROM access_token t
    JOIN "authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
    WHERE t.project_id = ${parameters.text(by.projectId)} AND t.hash = ${parameters.add(by.hash)}::bytea)`;
}

/**
 * Returns the CTE `noted`, behind `author`, that records a change, or adds to one that is recorded, in a statement that writes a
 * part of it. `counts` is SQL for what this part did, as jsonb, NULL if that is nothing. `counts` and `bytes` read only CTEs, and a
 * CTE that writes items comes after this one: a cluster runs them one after the other (docs/operate/scale.md).
 */
export function changeSql(
  change: Change,
  parameters: Parameters,
  { counts, bytes = "0" }: { counts: string; bytes?: string },
): string {
  const text = (value: string | null) => (value === null ? "NULL" : parameters.text(value));
  const values = [
    parameters.text(change.by.projectId),
    parameters.text(change.id),
    parameters.text(change.kind),
    parameters.text(surfaceOf(change.by)),
    "author.actor",
    "author.person",
    text(change.requestId),
    text(change.leadId),
    `${parameters.text(JSON.stringify(change.about))}::jsonb`,
    "counts",
    text(change.jobId),
    text(change.undoes),
    bytes,
  ];
  return `noted AS (
    INSERT INTO change (project_id, id, kind, surface, actor, person_id, request_id, lead_id, about, counts, job_id, undoes, bytes)
    SELECT ${values.join(", ")} FROM author, (SELECT ${counts} AS counts) AS counted WHERE counts IS NOT NULL
    ON CONFLICT (project_id, id) DO UPDATE SET counts = added_counts(change.counts, excluded.counts),
      bytes = change.bytes + excluded.bytes)`;
}

/** Records a part of a change in a statement of its own, after the writes of the transaction; `made` even without counts. */
export async function recordChange(
  tx: Pick<Transaction, "query">,
  change: Change,
  counts: Partial<Record<ChangeCount, number>>,
  bytes = 0,
): Promise<void> {
  const parameters = new Parameters();
  const told = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const noted = changeSql(change, parameters, {
    counts: `${parameters.text(JSON.stringify(told))}::jsonb`,
    bytes: `${parameters.add(bytes)}::bigint`,
  });
  await tx.query(`WITH ${authorSql(change, parameters)}, ${noted} SELECT FROM author`, parameters.values);
  made(change, { event: counts.events_added ?? 0 });
}
