import { DatabaseError } from "pg";
import type { Row, Statement } from "../wire/statement-batch.ts";

/** SQLSTATE of a door that stays closed, from `leadgate.closed()`; its DETAIL is the row that was found, or null. */
const CLOSED = "LG002";

/**
 * Returns the text of a door. `found` finds the credential by key: one row with `allowed`, or none. If it is allowed, the door
 * sets the project (SQL for its id) for its transaction. Otherwise it fails with the row, so that what is behind it in its
 * message never runs: on a cluster, the setting would be that of another node.
 */
export const doorSql = (found: string, project: string): string => `SELECT door.*,
    CASE WHEN door.allowed THEN set_config('leadgate.project', ${project}, true) ELSE leadgate.closed(to_jsonb(door)) END AS opened
  FROM (SELECT) AS one LEFT JOIN (${found}) AS door ON true`;

/** What a closed door found: its row, or undefined without one. Undefined if the error is another one. */
export function closedBy(error: Error | undefined): { row: Row | undefined } | undefined {
  if (!(error instanceof DatabaseError) || error.code !== CLOSED) return undefined;
  return { row: (JSON.parse(error.detail ?? "null") as Row | null) ?? undefined };
}

/** Fails as a door does unless the session setting `leadgate.pass` is this one. */
export const barrier = (pass: string): Statement => ({ text: BARRIER, values: [pass] });

const BARRIER = `SELECT leadgate.closed('{"barrier": true}')
  WHERE current_setting('leadgate.pass', true) IS DISTINCT FROM $1`;

/** Whether a batch failed at its barrier. */
export const stoppedByBarrier = (error: Error | undefined): boolean => closedBy(error)?.row?.barrier === true;
