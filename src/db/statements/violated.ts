import { DatabaseError } from "pg";

/** How Citus ends the name of a constraint of a shard. */
const SHARD = /_\d+$/;

/** The code of all that another node of a cluster says while rows are copied to it; its message tells what it is. */
const COPIED = "XX000";
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^duplicate key value violates unique constraint/, "23505"],
  [/violates [a-z -]+ constraint/, "23000"],
  [/^deadlock detected/, "40P01"],
  [/^index row (size|requires) /, "54000"],
];

/** Returns the SQLSTATE of an error; undefined if it is none of the database. */
export function sqlstateOf(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  if (error.code !== COPIED) return error.code;
  return MESSAGES.find(([message]) => message.test(error.message))?.[1] ?? COPIED;
}

/**
 * Returns the name of the constraint that a statement violated; undefined if it failed otherwise. The error of another node of a
 * cluster has the name in its message only.
 */
export function violatedBy(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || sqlstateOf(error)?.startsWith("23") !== true) return undefined;
  return error.constraint ?? /constraint "([^"]+)"/.exec(error.message)?.[1]?.replace(SHARD, "");
}
