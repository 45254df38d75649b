import type { Actor } from "../../contract/basics/actor.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";

/** Returns SQL for the caller as an `Actor` in jsonb, for statements behind the caller's door. */
export function actorSql(caller: Credential, parameters: Parameters): string {
  // added only where used: PostgreSQL cannot infer the type of a parameter without an expression
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

/** Reads the caller as an `Actor`, for example for the audit log. */
export async function actorOf(db: Queryable, caller: Credential): Promise<Actor> {
  const parameters = new Parameters();
  const sql = `SELECT ${actorSql(caller, parameters)} AS actor`;
  const [row] = await db.query<{ actor: Actor }>(sql, parameters.values);
  if (row === undefined) throw new Error("the database did not say who acts");
  return row.actor;
}

/** The surface that a caller used, as events name their source. */
export const sourceOf = ({ kind }: Credential): "api" | "mcp" | "panel" =>
  kind === "key" ? "api" : kind === "token" ? "mcp" : "panel";
