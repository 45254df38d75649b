import type { Scope } from "../../core/permission.ts";
import type { Queryable } from "../../db/pool/database.ts";
import type { ApprovableName } from "./approvable.ts";
import type { ApprovalRef } from "./approval-link.ts";

/** What became of a proposal: it waits for its person, is being done, or has ended in one of four ways. */
export type State = "waiting" | "running" | "done" | "failed" | "declined" | "expired";

/** A proposal of an application, as it is stored. */
export interface Approval {
  id: string;
  authorizationId: string;
  personId: string;
  clientName: string;
  scopes: Scope[];
  operation: ApprovableName;
  /** In the application's words. */
  title: string;
  /** Null once it is decided or has expired. */
  input: unknown;
  state: State;
  createdAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
  changeId: string | null;
  outcome: object | null;
  /** The database's time. */
  now: Date;
}

/** How long a proposal waits, in seconds. */
export const WAITS = 600;

/** How long an approved work may take before it counts as interrupted. */
const LONGEST = "5 minutes";

const READ = `SELECT p.id, p.authorization_id AS "authorizationId", p.person_id AS "personId", a.client_name AS "clientName",
    p.scopes, p.operation, p.title, p.input, p.state, p.created_at AS "createdAt", p.expires_at AS "expiresAt",
    p.decided_at AS "decidedAt", p.change_id AS "changeId", p.outcome, moment() AS now,
    (p.state = 'waiting' AND p.expires_at <= moment())
      OR (p.state = 'running' AND p.decided_at < moment() - interval '${LONGEST}') AS over
  FROM approval p JOIN "authorization" a ON a.project_id = p.project_id AND a.id = p.authorization_id
  WHERE p.project_id = $1 AND p.id = $2`;

/** Returns an approval in its present state; undefined if there is none. */
export async function readApproval(
  db: Pick<Queryable, "query">,
  { projectId, id }: ApprovalRef,
): Promise<Approval | undefined> {
  const [found] = await db.query<Approval & { over: boolean }>(READ, [projectId, id]);
  if (found?.over !== true) return found;
  await settleApprovals(db, projectId, id);
  return (await db.query<Approval>(READ, [projectId, id]))[0];
}

const EXPIRE = `UPDATE approval SET state = 'expired', input = NULL
  WHERE project_id = $1 AND ($2::text IS NULL OR id = $2) AND state = 'waiting' AND expires_at <= moment()`;

/** SQL for the change that an approval's request made: its id begins with the time, so that only the latest ones are read. */
const MADE = `(SELECT c.id FROM change c WHERE c.project_id = $1 AND c.request_id = p.request_id
    AND c.actor ->> 'id' = p.authorization_id
    AND c.created_at >= p.decided_at - interval '1 minute' AND c.created_at < p.decided_at + interval '1 hour'
  ORDER BY c.id DESC LIMIT 1)`;

const INTERRUPTED = JSON.stringify({
  code: "interrupted",
  message: "The service was interrupted while it did this, and nothing of it is recorded.",
});

/**
 * What was being done when its process was killed is never done again: it is done if its change was recorded, and has failed
 * otherwise. Its credential then ends, in case the process only stood still.
 */
const SETTLE = `WITH ended AS (
    UPDATE approval p SET input = NULL, change_id = made.id, state = CASE WHEN made.id IS NULL THEN 'failed' ELSE 'done' END,
      outcome = CASE WHEN made.id IS NULL THEN $3::jsonb ELSE '{}' END
    FROM (SELECT p.id AS approval, ${MADE} AS id FROM approval p
      WHERE p.project_id = $1 AND ($2::text IS NULL OR p.id = $2) AND p.state = 'running'
        AND p.decided_at < moment() - interval '${LONGEST}') AS made
    WHERE p.project_id = $1 AND p.id = made.approval AND p.state = 'running' RETURNING p.id, p.state
  ) UPDATE access_token t SET revoked_at = moment() FROM ended
  WHERE t.project_id = $1 AND t.approval_id = ended.id AND ended.state = 'failed' AND t.revoked_at IS NULL`;

/** Ends what has expired or was interrupted: one approval, or all of the project. */
export async function settleApprovals(
  db: Pick<Queryable, "query">,
  projectId: string,
  id: string | null = null,
): Promise<void> {
  await db.query(EXPIRE, [projectId, id]);
  await db.query(SETTLE, [projectId, id, INTERRUPTED]);
}
