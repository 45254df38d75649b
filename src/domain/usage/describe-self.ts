import { Type } from "typebox";
import type { Actor } from "../../contract/basics/actor.ts";
import type { Self } from "../../contract/self.ts";
import { PERMISSIONS, type Permission, permissionsOfRole } from "../../core/permission.ts";
import { actorSql } from "../operation/actor.ts";
import { memberOperation } from "../operation/operation.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";
import { paceOf } from "./describe-usage.ts";

interface Row {
  actor: Actor;
  project: string;
  permissions: Permission[] | null;
  person: Self["person"];
}

const PERSON = "json_build_object('id', person.id, 'name', person.name, 'role', m.role) AS person";

/** Returns SQL for what the caller may do, and who is behind it. */
function standingSql(caller: Credential, parameters: Parameters): string {
  const project = parameters.text(caller.projectId);
  switch (caller.kind) {
    case "key":
      return `SELECT permissions, NULL AS person
        FROM api_key WHERE project_id = ${project} AND id = ${parameters.text(caller.id)}`;
    case "token":
      throw new Error("access tokens are for /mcp, where the context says who calls");
    case "person":
      return `SELECT NULL AS permissions, ${PERSON}
        FROM membership m JOIN person ON person.id = m.person_id
        WHERE m.project_id = ${project} AND m.person_id = ${parameters.text(caller.personId)}`;
  }
}

/** The credential that calls, for whoever may do anything in the project. */
export const describeSelf = memberOperation({
  name: "self.describe",
  lane: "keyed",
  needs: "leads:read",
  orNeeds: PERMISSIONS,
  input: Type.Object({}, { additionalProperties: false }),
  async run({ service, db, caller }): Promise<Self> {
    const parameters = new Parameters();
    const text = `SELECT ${actorSql(caller, parameters)} AS actor, p.name AS project, who.*
      FROM project p CROSS JOIN LATERAL (${standingSql(caller, parameters)}) AS who
      WHERE p.project_id = ${parameters.text(caller.projectId)}`;
    const [row] = await db.query<Row>(text, parameters.values);
    if (row === undefined) throw new Error("a caller passed its door and has no row behind it");
    const { actor, project, permissions, person } = row;
    const { api, datasetReads, datasetWrites, datasetImports } = service.config.limits;
    return {
      id: actor.id ?? "",
      kind: actor.type,
      name: actor.label,
      project: { id: caller.projectId, name: project },
      permissions: permissions ?? (person === null ? [] : [...permissionsOfRole(person.role)]),
      limits: {
        calls: paceOf(api),
        dataset_reads: paceOf(datasetReads),
        dataset_writes: paceOf(datasetWrites),
        dataset_imports: paceOf(datasetImports),
      },
      person,
    };
  },
});
