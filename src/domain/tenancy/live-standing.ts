import {
  type Permission,
  permissionsOfGrant,
  permissionsOfRole,
  type Role,
  type Scope,
} from "../../core/permission.ts";
import type { Database } from "../../db/pool/database.ts";
import type { Credential } from "./credential.ts";
import { SESSION_IDLE } from "./person-door.ts";

// The same conditions as those of the doors.

const KEYS = `SELECT 'key' AS kind, k.n::integer AS n, a.permissions
  FROM unnest($1::text[], $2::text[], $3::bytea[]) WITH ORDINALITY AS k (project_id, id, hash, n)
  JOIN store.api_key a ON a.project_id = k.project_id AND a.id = k.id AND a.hash = k.hash
  WHERE a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > leadgate.moment())`;

const TOKENS = `SELECT 'token' AS kind, k.n::integer AS n, t.scopes, m.role
  FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS k (project_id, hash, n)
  JOIN store.access_token t ON t.project_id = k.project_id AND t.hash = k.hash
  JOIN store."authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
  JOIN leadgate.membership m ON m.person_id = a.person_id AND m.project_id = a.project_id
    AND m.created_at <= a.created_at
  WHERE t.revoked_at IS NULL AND a.revoked_at IS NULL AND t.expires_at > leadgate.moment()`;

/** A session is read and not extended. */
const PEOPLE = `SELECT 'person' AS kind, k.n::integer AS n, m.role
  FROM unnest($1::text[], $2::text[], $3::bytea[]) WITH ORDINALITY AS k (project_id, person_id, hash, n)
  JOIN leadgate.session s ON s.hash = k.hash AND s.person_id = k.person_id
  LEFT JOIN leadgate.membership m ON m.person_id = s.person_id AND m.project_id = k.project_id
  WHERE s.expires_at > leadgate.moment() AND s.used_at > leadgate.moment() - $4::interval`;

type Row = { n: number } & (
  | { kind: "key"; permissions: Permission[] }
  | { kind: "token"; scopes: Scope[]; role: Role }
  | { kind: "person"; role: Role | null }
);

/**
 * Returns the permissions that credentials have now, undefined for those that are not valid any more, in the order given.
 * It is one statement for all of each kind. A person needs a session; one who left the project has no permissions.
 */
export async function readStandings(
  db: Database,
  credentials: readonly Credential[],
): Promise<(readonly Permission[] | undefined)[]> {
  const of = <K extends Credential["kind"]>(kind: K) =>
    credentials.filter((each): each is Extract<Credential, { kind: K }> => each.kind === kind);
  const [keys, tokens, people] = [of("key"), of("token"), of("person")];
  const projects = (those: readonly Credential[]) => those.map(({ projectId }) => projectId);
  const hashes = (those: readonly { hash: Buffer }[]) => those.map(({ hash }) => hash);
  const ask = async (text: string, those: readonly Credential[], values: readonly unknown[]) =>
    those.length === 0 ? [] : await db.visitAll<Row>(text, [projects(those), ...values]);
  const rows = await Promise.all([
    ask(KEYS, keys, [keys.map(({ id }) => id), hashes(keys)]),
    ask(TOKENS, tokens, [hashes(tokens)]),
    ask(PEOPLE, people, [
      people.map(({ personId }) => personId),
      people.map(({ session }) => session),
      SESSION_IDLE,
    ]),
  ]);
  const found = new Map<Credential | undefined, readonly Permission[]>();
  for (const row of rows.flat()) {
    if (row.kind === "key") found.set(keys[row.n - 1], row.permissions);
    else if (row.kind === "token") found.set(tokens[row.n - 1], permissionsOfGrant(row.scopes, row.role));
    else found.set(people[row.n - 1], row.role === null ? [] : permissionsOfRole(row.role));
  }
  return credentials.map((credential) => found.get(credential));
}
