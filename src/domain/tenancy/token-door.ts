import {
  changesData,
  type Needs,
  type Permission,
  permissionsOfGrant,
  ROLES,
  type Role,
  rolesWith,
  SCOPES,
  type Scope,
} from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/pool/database.ts";
import { doorSql } from "../../db/statements/door.ts";
import { mayExportSql, withheldFromViewers } from "./export-withheld.ts";

/** The columns of a token's standing, with its membership `m`; see TokenStanding. */
export const STANDING = `t.scopes, m.role, t.project_id AS "projectId", t.authorization_id AS "authorizationId", a.writes,
  extract(epoch FROM leadgate.moment())::float8 AS now`;

// OFFSET 0 forces the plan from the token to its authorization, whatever the statistics of new tables say.
const opening = (columns = 't.authorization_id AS "authorizationId",', exports = "true"): string =>
  doorSql(
    `SELECT ${columns} ${SCOPED} AS scoped, m.role = ANY($4) AS fits, ${FREE} AS free,
    ${SCOPED} AND m.role = ANY($4) AND ${FREE} AND ${exports} AS allowed
  FROM store.access_token t
  CROSS JOIN LATERAL (SELECT * FROM store."authorization" a
    WHERE a.project_id = $1 AND a.id = t.authorization_id OFFSET 0) a
  JOIN leadgate.membership m ON m.person_id = a.person_id AND m.project_id = a.project_id
    AND m.created_at <= a.created_at
  WHERE t.project_id = $1 AND t.hash = $2 AND t.revoked_at IS NULL AND a.revoked_at IS NULL
    AND t.expires_at > leadgate.moment()`,
    "$1",
  );

/** One of the first scopes is enough; each of the others is needed. */
const SCOPED = "(t.scopes && $3::text[] AND t.scopes @> $5::text[])";

/** Whether it needs no approval: it changes nothing, the person lets the application write, or has approved this. */
const FREE = "(NOT $6::boolean OR a.writes = 'write' OR t.approval_id IS NOT NULL)";

const OPEN = opening();
const OPEN_TO_EXPORT = opening(undefined, mayExportSql("m.role", "$1"));
const OPEN_AND_TELL = opening(`${STANDING},`);

interface ShownToken {
  projectId: string;
  hash: Buffer;
}

/** Opens an access token's project if token, authorization and membership are valid and scope and role allow it. */
export const tokenDoor = (token: ShownToken, needs: Needs): Door =>
  doorFor(token, whoMay(needs), needs.exports === true ? OPEN_TO_EXPORT : OPEN, changesData(needs));

interface Allowed {
  /** One of these is enough. */
  scopes: readonly Scope[];
  /** Each of these, too. */
  also: readonly Scope[];
  roles: readonly Role[];
}

const known = new Map<string, Allowed>();

const scopesWith = (permissions: readonly Permission[]): Scope[] =>
  SCOPES.filter((scope) => permissionsOfGrant([scope], "owner").some((each) => permissions.includes(each)));

/** The scopes and roles with what is needed, cached. */
function whoMay(needs: Needs): Allowed {
  const { any, all = [] } = needs;
  const name = `${any.join()} ${all.join()}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = { scopes: scopesWith(any), also: scopesWith(all), roles: rolesWith(needs) };
  known.set(name, found);
  return found;
}

const ANYTHING: Allowed = { scopes: SCOPES, also: [], roles: ROLES };

/** Opens the project for any valid token, whatever its scopes and the person's role. */
export const livingTokenDoor = (token: ShownToken): Door => doorFor(token, ANYTHING, OPEN);

/** The same, and its row is the token's standing. */
export const standingDoor = (token: ShownToken): Door => doorFor(token, ANYTHING, OPEN_AND_TELL);

const doorFor = (
  token: ShownToken,
  { scopes, also, roles }: Allowed,
  text: string,
  changes = false,
): Door => ({
  statement: { text, values: [token.projectId, token.hash, scopes, roles, also, changes] },
  who: (row) => ({ credential: "token", id: String(row.authorizationId), project: token.projectId }),
  admit(row) {
    if (row === undefined) throw unknownToken();
    if (row.allowed === true) return;
    if (row.scoped !== true) throw insufficientScope(scopes, also);
    if (row.fits !== true) throw insufficientRole();
    throw row.free === true ? withheldFromViewers() : needsApproval();
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

/** Not of kind `forbidden`: another token would not help, but the application can ask. */
const needsApproval = (): Refusal =>
  new Refusal(
    "conflict",
    "needs_approval",
    "The user wants to approve each change of this application first. Nothing was changed.",
  );

const insufficientScope = (scopes: readonly Scope[], also: readonly Scope[]): Refusal =>
  new Refusal(
    "forbidden",
    "insufficient_scope",
    `This needs the scope ${[...new Set([scopes.join(" or "), ...also])].join(" and ")}.`,
  );
