import type { Role, Scope } from "../../core/permission.ts";
import { type Credential, doorOf } from "../credential.ts";
import type { Service } from "../service.ts";

/** What a living access token is good for. */
export interface TokenStanding {
  scopes: Scope[];
  projectId: string;
  projectName: string;
  personName: string;
  role: Role;
}

/** Lets pass whoever may read the project; one indexed read, refused like any operation (401, 403, 503). */
export async function checkToken(service: Service, caller: Credential): Promise<void> {
  await service.db.behind(doorOf(caller, "leads:read")).query("SELECT");
}

/** The scopes of an access token, its project and the person who granted it. */
export async function describeToken(
  service: Service,
  caller: Extract<Credential, { kind: "token" }>,
): Promise<TokenStanding> {
  const [standing] = await service.db.behind(doorOf(caller, "leads:read")).query<TokenStanding>(
    `SELECT t.scopes, p.project_id AS "projectId", p.name AS "projectName", person.name AS "personName", m.role
    FROM access_token t
    JOIN "authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
    JOIN project p ON p.project_id = t.project_id
    JOIN person ON person.id = a.person_id
    JOIN membership m ON m.person_id = a.person_id AND m.project_id = a.project_id
    WHERE t.project_id = $1 AND t.hash = $2`,
    [caller.projectId, caller.hash],
  );
  if (standing === undefined) throw new Error("a token passed its door and has no row behind it");
  return standing;
}
