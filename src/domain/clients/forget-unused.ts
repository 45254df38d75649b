import type { Service } from "../operation/service/service.ts";
import { batchOf, inBatches } from "../sql/in-batches.ts";

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

/** Deletes applications that nobody authorized within 30 days, and registration calls that no longer count. */
export async function forgetUnused(service: Service): Promise<void> {
  for (const statement of [UNUSED, COUNTED]) await inBatches(() => service.db.query(statement));
}
