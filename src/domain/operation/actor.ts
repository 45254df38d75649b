import type { Queryable } from "../../db/pool/database.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";

/** Who did something, as the timeline shows it; an id is a key's, a person's or an authorization's. */
export interface Actor {
  type: "key" | "person" | "token" | "cli";
  id: string | null;
  label: string;
}

/** The caller as an `Actor` in jsonb, for a statement that stands behind the caller's door: no round trip of its own. */
export function actorSql(caller: Credential, parameters: Parameters): string {
  // asked for only where it is used: PostgreSQL does not know the type of a parameter that no expression has
  const project = () => parameters.text(caller.projectId);
  switch (caller.kind) {
    case "key":
      return `(SELECT jsonb_build_object('type', 'key', 'id', id, 'label', name)
        FROM api_key WHERE project_id = ${project()} AND id = ${parameters.text(caller.id)})`;
    case "token":
      return `(SELECT jsonb_build_object('type', 'token', 'id', a.id, 'label', a.client_name || ', for ' || p.name)
        FROM access_token t
        JOIN "authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
        JOIN person p ON p.id = a.person_id
        WHERE t.project_id = ${project()} AND t.hash = ${parameters.add(caller.hash)}::bytea)`;
    case "person":
      return `(SELECT jsonb_build_object('type', 'person', 'id', id, 'label', name)
        FROM person WHERE id = ${parameters.text(caller.personId)})`;
  }
}

/** The caller as an `Actor`, where the actor itself is wanted, such as for the audit log; one statement. */
export async function actorOf(db: Queryable, caller: Credential): Promise<Actor> {
  const parameters = new Parameters();
  const sql = `SELECT ${actorSql(caller, parameters)} AS actor`;
  const [row] = await db.query<{ actor: Actor }>(sql, parameters.values);
  if (row === undefined) throw new Error("the database did not say who acts");
  return row.actor;
}

/** Through which surface a caller came, as events name their source. */
export const sourceOf = ({ kind }: Credential): "api" | "mcp" | "panel" =>
  kind === "key" ? "api" : kind === "token" ? "mcp" : "panel";
