import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { batchOf, inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";

const UNUSED = batchOf(
  "client",
  "id",
  "authorized_at IS NULL AND created_at < moment() - interval '30 days'",
);
const COUNTED = batchOf(
  "registration_calls",
  "address",
  "coalesce(at[cardinality(at)], '-infinity') < moment() - interval '2 hours'",
);

const PAGE = 500;

/** Behind `$2` and `$3`, so that those that are still used are looked at once. */
const LONG_AGO = `SELECT id, authorized_at::text AS at FROM client
  WHERE authorized_at < moment() - make_interval(days => $1) AND (authorized_at, id) > ($2::timestamptz, $3)
  ORDER BY authorized_at, id LIMIT ${PAGE}`;

const USED = `SELECT client_id AS id FROM "authorization" WHERE project_id = $1 AND client_id = ANY ($2)
  UNION SELECT client_id FROM authorization_code WHERE project_id = $1 AND client_id = ANY ($2)`;

/** The condition is repeated: somebody may have approved one since. */
const FORGET =
  "DELETE FROM client WHERE id = ANY ($2) AND authorized_at < moment() - make_interval(days => $1)";

/**
 * Deletes applications that nobody authorized within 30 days or for RECORD_DAYS, unless an authorization is left, and
 * registration calls that no longer count. Choices of people for an application go with it.
 */
export async function forgetUnused(service: Service): Promise<void> {
  for (const statement of [UNUSED, COUNTED]) await inBatches(() => service.db.query(statement));
  const { db, config } = service;
  for (let [at, last] = ["-infinity", ""]; ; ) {
    const old = await db.query<{ id: string; at: string }>(LONG_AGO, [config.recordDays, at, last]);
    const unused = new Set(old.map(({ id }) => id));
    if (unused.size > 0)
      for await (const projectId of everyProject(db)) {
        const own = db.behind(serviceDoor(projectId));
        for (const { id } of await own.query<{ id: string }>(USED, [projectId, [...unused]]))
          unused.delete(id);
      }
    await db.query(FORGET, [config.recordDays, [...unused]]);
    if (old.length < PAGE) return;
    ({ at, id: last } = old.at(-1) as { at: string; id: string });
  }
}
