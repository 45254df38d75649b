import { permissionsOfGrant, type Role, type Scope } from "../../core/permission.ts";
import { serviceDoor } from "../../db/project-door.ts";
import { record } from "../audit/record.ts";
import type { Client } from "../clients/client.ts";
import type { Service } from "../service.ts";
import { newCode } from "./token-text.ts";

/** A person's approval: what was asked, and what of it they left ticked. */
export interface Approval {
  personId: string;
  projectId: string;
  client: Client;
  redirectUri: string;
  challenge: string;
  asked: readonly Scope[];
  ticked: readonly Scope[];
}

/** The scopes among these that a role can grant: a viewer grants no writing. */
export const grantable = (scopes: readonly Scope[], role: Role): Scope[] =>
  scopes.filter((scope) => permissionsOfGrant([scope], role).length > 0);

const INSERT = `INSERT INTO authorization_code
    (project_id, hash, client_id, person_id, redirect_uri, scopes, challenge, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, moment() + make_interval(secs => $8))`;

const REMEMBER = `INSERT INTO consent_choice (person_id, client_id, project_id, declined) VALUES ($1, $2, $3, $4)
  ON CONFLICT (person_id, client_id) DO UPDATE
    SET project_id = excluded.project_id, declined = excluded.declined, chosen_at = moment()`;

/**
 * Issues the code of an approval (OAuth 2.1 4.1.2), for what the person's present role may grant. Says
 * `not_a_member` for a project that is not theirs, and `nothing` when no scope is left.
 */
export async function issueCode(
  service: Service,
  approval: Approval,
): Promise<{ code: string } | "not_a_member" | "nothing"> {
  const { personId, projectId, client, asked } = approval;
  return await service.db.behind(serviceDoor(projectId)).transaction(async (tx) => {
    const members = await tx.query<{ role: Role }>(
      "SELECT role FROM membership WHERE person_id = $1 AND project_id = $2 FOR SHARE",
      [personId, projectId],
    );
    const role = members[0]?.role;
    if (role === undefined) return "not_a_member";
    const scopes = grantable(approval.ticked, role);
    if (scopes.length === 0) return "nothing";
    const { text, hash } = newCode(projectId);
    const { redirectUri, challenge } = approval;
    const seconds = service.config.lifetimes.code;
    await tx.query(INSERT, [projectId, hash, client.id, personId, redirectUri, scopes, challenge, seconds]);
    await tx.query("UPDATE client SET authorized_at = coalesce(authorized_at, moment()) WHERE id = $1", [
      client.id,
    ]);
    const declined = grantable(asked, role).filter((scope) => !scopes.includes(scope));
    await tx.query(REMEMBER, [personId, client.id, projectId, declined]);
    await tx.query(
      "DELETE FROM authorization_code WHERE project_id = $1 AND expires_at < moment() - interval '1 day'",
      [projectId],
    );
    await record(tx, {
      action: "authorization.approved",
      projectId,
      personId,
      actor: personId,
      data: { client_id: client.id, client_name: client.metadata.client_name, scopes },
    });
    return { code: text };
  });
}
