import type { Service } from "../../operation/service/service.ts";
import { SESSION_IDLE } from "../../tenancy/person-door.ts";

const PERSON = `SELECT person_id AS id FROM session
  WHERE hash = $1 AND expires_at > moment() AND used_at > moment() - $2::interval`;

const REMEMBERED = 20_000;

/** Whose session this is: that never changes. Whether it still lives is for the door to say, each time. */
const known = new Map<string, string>();

/**
 * Whose session has this hash; undefined where none lives. One round trip for a session that this process sees for
 * the first time, none afterwards: what is done with the answer must stand behind the person's door.
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
