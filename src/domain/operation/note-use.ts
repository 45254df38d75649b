import type { Queryable } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Credential } from "../tenancy/credential.ts";
import { SESSION_IDLE } from "../tenancy/person-door.ts";
import type { Service } from "./service/service.ts";

const EVERY_MS = 60_000;
const REMEMBERED = 20_000;

const KEY = `UPDATE api_key SET last_used_at = moment() WHERE project_id = $1 AND hash = $2 AND id = $3`;
const AUTHORIZATION = `UPDATE "authorization" a SET last_used_at = moment() FROM access_token t
  WHERE t.project_id = $1 AND t.hash = $2 AND a.project_id = t.project_id AND a.id = t.authorization_id`;
/**
 * A late note does not bring back a session that is idle for too long. It is locked first, because whoever ended the session may
 * hold it: then the time is that of the statement behind.
 */
const HOLD_SESSION = "SELECT FROM session WHERE hash = $1 FOR NO KEY UPDATE";
const SESSION = `UPDATE session SET used_at = moment()
  WHERE hash = $1 AND used_at < moment() AND used_at > moment() + (statement_timestamp() - now()) - $2::interval`;

const noted = new Map<string, number>();

/**
 * Records the use of a key, authorization or session, each at most once a minute. The response does not wait for
 * it.
 */
export function noteUse(service: Service, caller: Credential): void {
  const secret = caller.kind === "person" ? caller.session : caller.hash;
  if (secret === undefined || (caller.kind === "person" && service.origin?.unattended === true)) return;
  const name = secret.toString("latin1");
  const now = Date.now();
  if (now - (noted.get(name) ?? 0) < EVERY_MS) return;
  if (noted.size >= REMEMBERED) noted.clear();
  noted.set(name, now);
  const warn = (error: unknown) =>
    service.log.warn({ err: error }, "the use of a credential was not recorded");
  if (caller.kind === "person") {
    const note = async (tx: Queryable) => {
      await tx.query(HOLD_SESSION, [secret]);
      await tx.query(SESSION, [secret, SESSION_IDLE]);
    };
    service.db.transaction(note).catch(warn);
    return;
  }
  const values =
    caller.kind === "key" ? [caller.projectId, caller.hash, caller.id] : [caller.projectId, caller.hash];
  service.db
    .behind(serviceDoor(caller.projectId))
    .query(caller.kind === "key" ? KEY : AUTHORIZATION, values)
    .catch(warn);
}
