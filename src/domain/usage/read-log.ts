import { ownerOperation, personOperation } from "../operation/callers.ts";

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
  /** How many times the same happened again, and when and from where last. */
  repeated: number;
  repeatedAt: Date | null;
  repeatedFrom: string | null;
}

/** Entries older than the one with id `before`, newest first. */
export interface LogPage {
  before: number | undefined;
  limit: number;
}

const of = (column: "person_id" | "project_id") => `
  SELECT a.id, a.at, a.action, nullif(a.project_id, '') AS "projectId", a.person_id AS "personId", a.actor, a.address,
    a.request_id AS "requestId", a.data, a.repeated, a.repeated_at AS "repeatedAt", a.repeated_from AS "repeatedFrom",
    coalesce(who.name, app.metadata->>'client_name') AS "actorName",
    whom.name AS "personName"
  FROM (SELECT * FROM audit WHERE ${column} = $1 AND id < coalesce($2, 9223372036854775807)
        ORDER BY id DESC LIMIT $3) a
  LEFT JOIN person who ON who.id = a.actor
  LEFT JOIN client app ON app.id = a.actor
  LEFT JOIN person whom ON whom.id = a.person_id
  ORDER BY a.id DESC`;

const OF_PERSON = of("person_id");
const OF_PROJECT = of("project_id");

/** A page of the audit log's entries about the calling person. */
export const readOwnLog = personOperation({
  name: "audit.read_own",
  run: async ({ db, caller }, { before, limit }: LogPage) =>
    await db.visitAll<LogEntry>(OF_PERSON, [caller.person.id, before ?? null, limit]),
});

/** A page of a project's audit log. */
export const readProjectLog = ownerOperation({
  name: "audit.read_project",
  run: async ({ db, caller }, { before, limit }: LogPage) =>
    await db.query<LogEntry>(OF_PROJECT, [caller.projectId, before ?? null, limit]),
});

const AT_ONCE = 1_000;

/** Yields all pages of a log, newest first, as they are consumed; `read` performs the operation for each page. */
export async function* wholeLog(read: (page: LogPage) => Promise<LogEntry[]>): AsyncGenerator<LogEntry[]> {
  let before: number | undefined;
  while (true) {
    const entries = await read({ before, limit: AT_ONCE });
    if (entries.length > 0) yield entries;
    if (entries.length < AT_ONCE) return;
    before = entries.at(-1)?.id;
  }
}
