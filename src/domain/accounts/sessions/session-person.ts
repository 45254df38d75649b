import type { Service } from "../../operation/service/service.ts";
import { SESSION_IDLE } from "../../tenancy/person-door.ts";

const PERSON = `SELECT person_id AS id FROM session
  WHERE hash = $1 AND expires_at > moment() AND used_at > moment() - $2::interval`;

const REMEMBERED = 20_000;

/**
 * The person of a session never changes, so it can be cached. Whether the session is still valid is checked by the
 * door.
 */
const known = new Map<string, string>();

/**
 * The person of the session with this hash; undefined if there is no valid one. The answer may come from the cache,
 * so whatever uses it must run behind the person's door.
 */
export async function personIdOf(service: Service, session: Buffer): Promise<string | undefined> {
  const name = session.toString("latin1");
  const found = known.get(name);
  if (found !== undefined) return found;
  const [row] = await service.db.query<{ id: string }>(PERSON, [session, SESSION_IDLE]);
  if (row === undefined) return undefined;
  if (known.size >= REMEMBERED) known.clear();
  known.set(name, row.id);
  return row.id;
}
