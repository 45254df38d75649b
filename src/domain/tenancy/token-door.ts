import {
  type Permission,
  permissionsOfGrant,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/pool/database.ts";

/** The columns of a token's standing, with its membership `m`; see TokenStanding. */
export const STANDING = `t.scopes, m.role, t.project_id AS "projectId", t.authorization_id AS "authorizationId",
  extract(epoch FROM leadgate.moment())::float8 AS now`;

// OFFSET 0 forces the plan from the token to its authorization, whatever the statistics of new tables say.
const opening = (columns = "") => `SELECT ${columns} t.scopes && $3::text[] AS scoped,
    t.scopes && $3::text[] AND m.role = ANY($4) AS allowed,
    CASE WHEN t.scopes && $3::text[] AND m.role = ANY($4)
      THEN set_config('leadgate.project', t.project_id, true) END AS opened
  FROM store.access_token t
  CROSS JOIN LATERAL (SELECT * FROM store."authorization" a
    WHERE a.project_id = $1 AND a.id = t.authorization_id OFFSET 0) a
  JOIN leadgate.membership m ON m.person_id = a.person_id AND m.project_id = a.project_id
    AND m.created_at <= a.created_at
  WHERE t.project_id = $1 AND t.hash = $2 AND t.revoked_at IS NULL AND a.revoked_at IS NULL
    AND t.expires_at > leadgate.moment()`;

const OPEN = opening();
const OPEN_AND_TELL = opening(`${STANDING},`);

interface ShownToken {
  projectId: string;
  hash: Buffer;
}

/** Opens an access token's project if token, authorization and membership are valid and scope and role allow it. */
export function tokenDoor(token: ShownToken, ...needs: readonly Permission[]): Door {
  const { scopes, roles } = whoMay(needs);
  return doorFor(token, scopes, roles);
}

interface Allowed {
  scopes: readonly Scope[];
  roles: readonly Role[];
}

const known = new Map<string, Allowed>();

/** The scopes and roles with one of these permissions, cached. */
function whoMay(needs: readonly Permission[]): Allowed {
  const name = needs.join();
  const before = known.get(name);
  if (before !== undefined) return before;
  const allows = (permissions: readonly Permission[]) => needs.some((each) => permissions.includes(each));
  const found = {
    scopes: SCOPES.filter((scope) => allows(permissionsOfGrant([scope], "owner"))),
    roles: ROLES.filter((role) => allows(permissionsOfGrant(SCOPES, role))),
  };
  known.set(name, found);
  return found;
}

/** Opens the project for any valid token, whatever its scopes and the person's role. */
export const livingTokenDoor = (token: ShownToken): Door => doorFor(token, SCOPES, ROLES);

/** The same, and its row is the token's standing. */
export const standingDoor = (token: ShownToken): Door => doorFor(token, SCOPES, ROLES, OPEN_AND_TELL);

const doorFor = (token: ShownToken, scopes: readonly Scope[], roles: readonly Role[], text = OPEN): Door => ({
  statement: { text, values: [token.projectId, token.hash, scopes, roles] },
  admit(row) {
    if (row === undefined) throw unknownToken();
    if (row.allowed !== true) throw row.scoped === true ? insufficientRole() : insufficientScope(scopes);
  },
});

/** The refusal for a caller without a valid token. */
export const unknownToken = (): Refusal =>
  new Refusal("unauthenticated", "invalid_token", "The access token is unknown, expired or revoked.");

/**
 * A role cannot be fixed by another token; `insufficient_scope` would make applications ask for one again and
 * again.
 */
const insufficientRole = (): Refusal =>
  new Refusal(
    "forbidden",
    "insufficient_role",
    "The user's role in this project does not allow this. An owner or admin of the project can change the role.",
  );

const insufficientScope = (scopes: readonly Scope[]): Refusal =>
  new Refusal("forbidden", "insufficient_scope", `This needs the scope ${scopes.join(" or ")}.`);
