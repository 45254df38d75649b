import { serviceDoor } from "../../../db/pool/project-door.ts";
import type { Credential } from "../../tenancy/credential.ts";
import type { Service } from "../service/service.ts";

const KEY = "SELECT id FROM api_key WHERE project_id = $1 AND id = $2 AND hash = $3";
const TOKEN = "SELECT authorization_id AS id FROM access_token WHERE project_id = $1 AND hash = $2";

const REMEMBERED = 20_000;

/** The subject of each known credential, which never changes. */
const known = new Map<string, string>();

/**
 * Returns whose bucket a caller's calls are counted in: the key's, the authorization's (for all of its tokens) or
 * the person's. Undefined for an unknown secret, which the door will refuse. Cached by credential.
 */
export async function subjectOf(service: Service, caller: Credential): Promise<string | undefined> {
  if (caller.kind === "person") return `person ${caller.personId}`;
  const name = `${caller.projectId} ${caller.hash.toString("latin1")}`;
  const found = known.get(name);
  if (found !== undefined) return found;
  const values = [caller.projectId, ...(caller.kind === "key" ? [caller.id] : []), caller.hash];
  const [row] = await service.db
    .behind(serviceDoor(caller.projectId))
    .query<{ id: string }>(caller.kind === "key" ? KEY : TOKEN, values, { prepare: true });
  if (row === undefined) return undefined;
  const subject = `${caller.kind} ${row.id}`;
  if (known.size >= REMEMBERED) known.clear();
  known.set(name, subject);
  return subject;
}
