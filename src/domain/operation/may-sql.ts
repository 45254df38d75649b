import { type Permission, permissionsOfGrant, rolesWith, SCOPES } from "../../core/permission.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";

/**
 * Returns SQL for whether the caller has a permission besides the one that opened its door, so that a statement can
 * decide what it answers. A person who may do anything in a project may read it.
 */
export function maySql(caller: Credential, parameters: Parameters, permission: Permission): string {
  // PostgreSQL refuses parameters that a statement does not use.
  const project = () => parameters.text(caller.projectId);
  switch (caller.kind) {
    case "key":
      return `(SELECT '${permission}' = ANY (permissions) FROM api_key
        WHERE project_id = ${project()} AND id = ${parameters.text(caller.id)})`;
    case "token": {
      const scopes = SCOPES.filter((scope) => permissionsOfGrant([scope], "owner").includes(permission));
      return `(SELECT scopes && '{${scopes.join()}}' FROM access_token
        WHERE project_id = ${project()} AND hash = ${parameters.add(caller.hash)}::bytea)`;
    }
    case "person":
      if (permission === "leads:read" || permission === "datasets:read") return "true";
      return `EXISTS (SELECT FROM membership WHERE project_id = ${project()} AND person_id = ${parameters.text(caller.personId)}
        AND role = ANY ('{${rolesWith({ any: [permission] }).join()}}'))`;
  }
}

/** Asks the same in a statement of its own, for the rare answers that depend on it. */
export async function may(
  db: Pick<Queryable, "query">,
  caller: Credential,
  permission: Permission,
): Promise<boolean> {
  const parameters = new Parameters();
  const text = `SELECT ${maySql(caller, parameters, permission)} AS may`;
  const [row] = await db.query<{ may: boolean | null }>(text, parameters.values);
  return row?.may === true;
}
