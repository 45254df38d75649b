import type { Door } from "../../../db/pool/database.ts";
import type { Service } from "../service/service.ts";

/** An entry of the audit log as readers see it. */
export interface LogEntry {
  /** Log order; the newest entry has the largest id. */
  id: number;
  at: Date;
  action: string;
  projectId: string | null;
  personId: string | null;
  actor: string | null;
  /** The actor's name, if it is a person or an application that still exists. */
  actorName: string | null;
  personName: string | null;
  address: string | null;
  requestId: string | null;
  data: Record<string, unknown>;
}

/** Whose log: entries about one person, or about one project whose door admits only owners. */
export type LogScope = { personId: string } | { projectId: string; door: Door };

/** Entries older than the one with id `before`, newest first. */
export interface LogPage {
  before: number | undefined;
  limit: number;
}

const of = (column: "person_id" | "project_id") => `
  SELECT a.id, a.at, a.action, a.project_id AS "projectId", a.person_id AS "personId", a.actor, a.address,
    a.request_id AS "requestId", a.data, coalesce(who.name, app.metadata->>'client_name') AS "actorName",
    whom.name AS "personName"
  FROM (SELECT * FROM audit WHERE ${column} = $1 AND id < coalesce($2, 9223372036854775807)
        ORDER BY id DESC LIMIT $3) a
  LEFT JOIN person who ON who.id = a.actor
  LEFT JOIN client app ON app.id = a.actor
  LEFT JOIN person whom ON whom.id = a.person_id
  ORDER BY a.id DESC`;

const OF_PERSON = of("person_id");
const OF_PROJECT = of("project_id");

/** Reads a page of an audit log. */
export async function readLog(service: Service, scope: LogScope, page: LogPage): Promise<LogEntry[]> {
  const cut = [page.before ?? null, page.limit];
  if ("door" in scope) {
    return await service.db.behind(scope.door).query<LogEntry>(OF_PROJECT, [scope.projectId, ...cut]);
  }
  return await service.db.query<LogEntry>(OF_PERSON, [scope.personId, ...cut]);
}

const AT_ONCE = 1_000;

/** Yields a whole log in pages, newest first, at the reader's pace. Each page passes the door again. */
export async function* wholeLog(service: Service, scope: LogScope): AsyncGenerator<LogEntry[]> {
  let before: number | undefined;
  while (true) {
    const entries = await readLog(service, scope, { before, limit: AT_ONCE });
    if (entries.length > 0) yield entries;
    if (entries.length < AT_ONCE) return;
    before = entries.at(-1)?.id;
  }
}
