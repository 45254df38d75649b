import { hashOf, randomSecret } from "../../core/secret.ts";
import type { Queryable } from "../../db/database.ts";
import type { Service } from "../service.ts";
import type { Person } from "./person.ts";

const IDLE = "12 hours";

/** Starts a session and answers its token, of which only the hash is kept. */
export async function startSession(db: Queryable, personId: string, seconds: number): Promise<string> {
  const token = randomSecret();
  await db.query(
    "INSERT INTO session (hash, person_id, expires_at) VALUES ($1, $2, moment() + make_interval(secs => $3))",
    [hashOf(token), personId, seconds],
  );
  return token;
}

/** Whose living session this is. One round trip; notes the use at most once a minute. */
export async function personOfSession(service: Service, token: string): Promise<Person | undefined> {
  const rows = await service.db.query<Person>(
    `WITH alive AS (
       SELECT s.hash, s.used_at, p.id, p.email, p.name FROM session s JOIN person p ON p.id = s.person_id
       WHERE s.hash = $1 AND s.expires_at > moment() AND s.used_at > moment() - $2::interval
     ), used AS (
       UPDATE session SET used_at = moment() FROM alive
       WHERE session.hash = alive.hash AND alive.used_at < moment() - interval '1 minute'
     ) SELECT id, email, name FROM alive`,
    [hashOf(token), IDLE],
  );
  return rows[0];
}

/** Ends a session; one that is over already is no error. */
export async function endSession(service: Service, token: string): Promise<void> {
  await service.db.query("DELETE FROM session WHERE hash = $1", [hashOf(token)]);
}

/** Removes sessions that are over, some thousands at a time. */
export async function sweepSessions(service: Service): Promise<void> {
  await service.db.query(
    `DELETE FROM session WHERE hash IN
       (SELECT hash FROM session WHERE expires_at < moment() OR used_at < moment() - $1::interval LIMIT 5000)`,
    [IDLE],
  );
}
