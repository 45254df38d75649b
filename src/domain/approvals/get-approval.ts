import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import type { ApprovableName } from "./approvable.ts";
import { readApproval, type State } from "./approval.ts";
import { approvalLink } from "./approval-link.ts";
import { tokenOnly } from "./token-only.ts";

/** What became of a proposal, for the application. */
export interface ApprovalState {
  id: string;
  operation: ApprovableName;
  title: string;
  state: State;
  /** While it waits. */
  url: string | null;
  /** ISO 8601. */
  expires_at: string;
  change_id: string | null;
  /** What was done, by ids; or why it failed: `{code, message}`. */
  outcome: object | null;
}

const OWN = `SELECT authorization_id AS "authorizationId" FROM access_token WHERE project_id = $1 AND hash = $2`;

/** Returns what became of a proposal of the application itself. */
export const getApproval = memberOperation({
  name: "approvals.get",
  needs: "leads:write",
  orNeeds: "datasets:write",
  changes: false,
  lane: "keyed",
  input: Type.Object(
    { id: Type.String({ description: "The approval's id, such as apr_01k3…" }) },
    { additionalProperties: false },
  ),
  async run(context, { id }): Promise<ApprovalState> {
    const { service, db } = context;
    const { projectId, hash } = await tokenOnly(context);
    if (!isId("apr", id)) return await refuse(db, notFound("approval"));
    const found = await readApproval(db, { projectId, id });
    const [own] = await db.query<{ authorizationId: string }>(OWN, [projectId, hash]);
    if (found === undefined || found.authorizationId !== own?.authorizationId) throw notFound("approval");
    const { operation, title, state, expiresAt, changeId, outcome } = found;
    return {
      ...{ id, operation, title, state },
      url: state === "waiting" ? approvalLink(service, { projectId, id }) : null,
      expires_at: expiresAt.toISOString(),
      ...{ change_id: changeId, outcome },
    };
  },
});
