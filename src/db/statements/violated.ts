import { DatabaseError } from "pg";

/** How Citus ends the name of a constraint of a shard. */
const SHARD = /_\d+$/;

/**
 * Returns the name of the constraint that a statement violated; undefined if it failed otherwise. The error of another node of a
 * cluster has the name in its message only.
 */
export function violatedBy(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code?.startsWith("23") !== true) return undefined;
  return error.constraint ?? /constraint "([^"]+)"/.exec(error.message)?.[1]?.replace(SHARD, "");
}
