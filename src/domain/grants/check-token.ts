import type { Role, Scope, Writes } from "../../core/permission.ts";
import { noteAccepted } from "../operation/accepted.ts";
import { type TokenCaller, tokenOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import { livingTokenDoor, STANDING, standingDoor } from "../tenancy/token-door.ts";
import { grantable } from "./issue-code.ts";

/** What a valid access token allows. */
export interface TokenStanding {
  scopes: Scope[];
  role: Role;
  projectId: string;
  authorizationId: string;
  /** Whether it may change things, or has to ask the person first. */
  writes: Writes;
  /** The database's time, in seconds since 1970. */
  now: number;
}

/** The same with names for people, and only those scopes that the person's role still allows. */
export interface TokenDescription extends TokenStanding {
  projectName: string;
  personName: string;
}

const DESCRIPTION = `SELECT ${STANDING}, p.name AS "projectName", person.name AS "personName"
  FROM access_token t
  JOIN "authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
  JOIN membership m ON m.person_id = a.person_id AND m.project_id = a.project_id
  JOIN project p ON p.project_id = t.project_id
  JOIN person ON person.id = a.person_id
  WHERE t.project_id = $1 AND t.hash = $2`;

/** Returns if the token is valid; otherwise refuses like any operation (401, 503). */
export async function checkToken(service: Service, caller: TokenCaller): Promise<void> {
  await service.db.behind(livingTokenDoor(caller)).open();
  noteAccepted(caller);
}

/** What an access token currently allows; refused like `checkToken`. */
export async function tokenStanding(service: Service, caller: TokenCaller): Promise<TokenStanding> {
  const standing = await service.db.behind(standingDoor(caller)).open<TokenStanding>();
  noteAccepted(caller);
  return standing;
}

/** What an access token allows now, its project and the person who granted it. */
export const describeToken = tokenOperation({
  name: "tokens.describe",
  async run({ db, caller }): Promise<TokenDescription> {
    const [row] = await db.query<TokenDescription>(DESCRIPTION, [caller.projectId, caller.hash], {
      prepare: true,
      short: "read",
    });
    if (row === undefined) throw new Error("a token passed its door and has no row behind it");
    return { ...row, scopes: grantable(row.scopes, row.role) };
  },
});
