import { hashOf } from "../../../core/secret.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { personOperation } from "../../operation/callers.ts";
import { SESSION_IDLE } from "../../tenancy/person-door.ts";

/** A browser in which a person is signed in. */
export interface OpenSession {
  id: string;
  address: string | null;
  /** The User-Agent header at sign-in. */
  agent: string | null;
  createdAt: Date;
  usedAt: Date;
  /** Whether it is the session of this request. */
  current: boolean;
}

/** The sessions of a person: that of `token` first, then the most recently used; at most a hundred. */
export async function sessionsOf(db: Queryable, personId: string, token = ""): Promise<OpenSession[]> {
  return await db.query<OpenSession>(
    `SELECT id, address, agent, created_at AS "createdAt", used_at AS "usedAt", hash = $2 AS current FROM session
     WHERE person_id = $1 AND expires_at > moment() AND used_at > moment() - $3::interval
     ORDER BY hash = $2 DESC, used_at DESC, id LIMIT 100`,
    [personId, hashOf(token), SESSION_IDLE],
  );
}

/** The sessions of the signed-in person, the current one first. */
export const listSessions = personOperation({
  name: "sessions.list",
  run: async ({ db, caller }): Promise<OpenSession[]> =>
    await sessionsOf(db, caller.person.id, caller.session),
});
