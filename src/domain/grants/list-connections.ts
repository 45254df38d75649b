import type { Role, Scope, Writes } from "../../core/permission.ts";
import { managerOperation } from "../operation/callers.ts";

/** An application that a member connected to the project and that still has access. */
export interface Connection {
  id: string;
  clientId: string;
  clientName: string;
  /** Its registered redirect URIs; null if the application has been deleted. */
  redirectUris: string[] | null;
  scopes: Scope[];
  writes: Writes;
  personId: string;
  personName: string;
  email: string;
  role: Role;
  /** False if the project no longer lets the member's role connect applications. */
  mayConnect: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** How many connections in the project have the same application, and the same member. */
  ofApplication: number;
  ofPerson: number;
  /** When it was last used, else made, in microseconds since 1970; the list is ordered by it. */
  at: number;
}

/** Connections that come after this one. */
export interface ConnectionsBefore {
  at: number;
  id: string;
}

/** All connections of the project, and those of roles that may no longer connect applications. */
interface Totals {
  all: number;
  others: number;
}

const LIVING = `"authorization" a
  JOIN membership m ON m.project_id = a.project_id AND m.person_id = a.person_id AND m.created_at <= a.created_at
  JOIN project p ON p.project_id = $1
  WHERE a.project_id = $1 AND a.revoked_why IS NULL AND a.refresh_expires_at > moment()`;

const TOTALS = `SELECT count(*)::int AS all, (count(*) FILTER (WHERE NOT m.role = ANY (p.connect_roles)))::int AS others
  FROM ${LIVING}`;

const LIST = `WITH living AS (
    SELECT a.id, a.client_id, a.client_name, a.scopes, a.writes, a.person_id, m.role, m.role = ANY (p.connect_roles) AS may,
      a.created_at, a.last_used_at,
      (extract(epoch FROM coalesce(a.last_used_at, a.created_at)) * 1000000)::float8 AS at,
      (count(*) OVER (PARTITION BY a.client_id))::int AS of_application,
      (count(*) OVER (PARTITION BY a.person_id))::int AS of_person
    FROM ${LIVING}
  )
  SELECT a.id, a.client_id AS "clientId", a.client_name AS "clientName", c.metadata->'redirect_uris' AS "redirectUris",
    a.scopes, a.writes, a.person_id AS "personId", person.name AS "personName", person.email, a.role, a.may AS "mayConnect",
    a.created_at AS "createdAt", a.last_used_at AS "lastUsedAt",
    a.of_application AS "ofApplication", a.of_person AS "ofPerson", a.at
  FROM living a JOIN person ON person.id = a.person_id LEFT JOIN client c ON c.id = a.client_id
  WHERE $2::float8 IS NULL OR (a.at, a.id) < ($2, $3)
  ORDER BY a.at DESC, a.id DESC LIMIT $4`;

/** A page of the connections of a project's members, the last used first, for those who manage the project. */
export const listConnections = managerOperation({
  name: "grants.list_of_project",
  async run(
    { db, caller: { projectId } },
    { before, limit }: { before: ConnectionsBefore | undefined; limit: number },
  ): Promise<{ connections: Connection[]; totals: Totals }> {
    return await db.transaction(async (tx) => {
      const values = [projectId, before?.at ?? null, before?.id ?? null, limit];
      const connections = await tx.query<Connection>(LIST, values);
      const [totals] = await tx.query<Totals>(TOTALS, [projectId]);
      return { connections, totals: totals ?? { all: 0, others: 0 } };
    });
  },
});
