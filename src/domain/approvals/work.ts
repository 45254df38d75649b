import type { Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { hashOf, randomSecret } from "../../core/secret.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { TokenCaller } from "../operation/callers.ts";
import type { ApprovableName } from "./approvable.ts";

/** What an application proposed to do. */
export interface Work {
  id: string;
  projectId: string;
  authorizationId: string;
  /** Of the token that proposed it. */
  scopes: readonly Scope[];
  operation: ApprovableName;
  input: unknown;
}

/** How long the credential of an approved work is valid, in seconds: jobs keep it. */
const SECONDS = 3_600;

const ISSUE = `INSERT INTO access_token (project_id, hash, authorization_id, scopes, expires_at, approval_id)
  SELECT $1, $2, a.id, ARRAY(SELECT unnest(a.scopes) INTERSECT SELECT unnest($4::text[])),
    moment() + make_interval(secs => ${SECONDS}), $5
  FROM "authorization" a
  WHERE a.project_id = $1 AND a.id = $3 AND a.revoked_at IS NULL AND EXISTS (SELECT FROM membership m
    WHERE m.project_id = $1 AND m.person_id = a.person_id AND m.created_at <= a.created_at)
  RETURNING hash`;

/**
 * Returns the application's credential for an approved work, which nobody else has: its secret is not kept. Refuses if the
 * application has no access any more.
 */
export async function issueCredential(
  tx: Pick<Transaction, "query">,
  { id, projectId, authorizationId, scopes }: Omit<Work, "operation" | "input">,
): Promise<TokenCaller> {
  const hash = hashOf(randomSecret());
  const issued = await tx.query(ISSUE, [projectId, hash, authorizationId, scopes, id]);
  if (issued.length === 0) throw accessEnded();
  return { kind: "token", projectId, hash };
}

const accessEnded = (): Refusal =>
  new Refusal("conflict", "access_ended", "The application has no access to this project any more.");
