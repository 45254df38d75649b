import { isId, newId } from "../../core/id.ts";
import { type Permission, permissionsOfRole, type Role } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import { managerOrOperatorOperation } from "../operation/callers.ts";
import { checkNewKey, makeKey } from "./api-key.ts";

/** Whoever changes a role holds the project's row, so that nobody gives what they lose meanwhile. */
const LOCK = "SELECT FROM project WHERE project_id = $1 FOR SHARE";
const ROLE = "SELECT role FROM membership WHERE project_id = $1 AND person_id = $2";

/**
 * Makes a key of a project. People give only permissions that their role has; the operator gives any. Its text is returned once and never stored. A caller that may repeat the request, such
 * as a reloaded page, chooses the `id`: the second time is refused with `key_exists`.
 */
export const createKey = managerOrOperatorOperation({
  name: "keys.create",
  async run(
    { service, db, caller: { projectId, personId } },
    input: {
      id?: string | undefined;
      name: string;
      permissions: readonly string[];
      exportWithheld?: boolean;
    },
  ): Promise<{ id: string; key: string }> {
    const { name, permissions } = checkNewKey(input.name, input.permissions);
    const id = input.id !== undefined && isId("key", input.id) ? input.id : newId("key");
    const { text, hash } = makeKey(projectId, id);
    const { exportWithheld = false } = input;
    await db.transaction(async (tx) => {
      if (personId !== null) {
        await tx.query(LOCK, [projectId]);
        const [member] = await tx.query<{ role: Role }>(ROLE, [projectId, personId]);
        const own = member === undefined ? [] : permissionsOfRole(member.role);
        const beyond = permissions.filter((each) => !own.includes(each));
        if (beyond.length > 0) throw beyondRole(beyond);
      }
      const made = await tx.query(
        `INSERT INTO api_key (project_id, id, name, hash, permissions, created_by, export_withheld)
       SELECT $1, $2, $3, $4, $5, $6, $7 FROM project WHERE project_id = $1
       ON CONFLICT DO NOTHING RETURNING id`,
        [projectId, id, name, hash, permissions, personId, exportWithheld],
      );
      if (made.length === 0) throw id === input.id ? alreadyMade() : noProject();
      const withheld = exportWithheld ? { export_withheld: "yes" } : {};
      const data = { key_id: id, key_name: name, permissions, ...withheld };
      await record(service, tx, {
        action: "key.created",
        projectId,
        ...(personId && { actor: personId }),
        data,
      });
    });
    return { id, key: text };
  },
});

const beyondRole = (permissions: readonly Permission[]): Refusal =>
  new Refusal(
    "forbidden",
    "permission_beyond_role",
    `Your role in this project does not have ${permissions.join(", ")}, so you cannot give it to a key. Ask an owner.`,
  );

const noProject = (): Refusal => new Refusal("not_found", "not_found", "No such project.");

const alreadyMade = (): Refusal =>
  new Refusal(
    "conflict",
    "key_exists",
    "This key has already been created and shown. If you did not copy it, revoke it and create another one.",
  );
