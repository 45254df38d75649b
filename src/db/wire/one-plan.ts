import type { Statement } from "./statement-batch.ts";

/**
 * For a prepared statement on leads that one plan suits, whatever its values: PostgreSQL would plan it anew at each call
 * where it thinks that its values might matter, which takes longer than the newest fifty of a million leads. Only once
 * PostgreSQL has counted leads: what is planned while a table is empty would be kept when it is not any more.
 */
export const ONE_PLAN: Statement = {
  text: `SELECT set_config('plan_cache_mode', 'force_generic_plan', true)
    FROM pg_class WHERE relname = 'lead' AND relkind = 'r' AND reltuples >= 1000`,
  values: [],
};
