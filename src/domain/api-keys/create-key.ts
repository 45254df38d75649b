import { isId, newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import { managerOrOperatorOperation } from "../operation/callers.ts";
import { checkNewKey, makeKey } from "./api-key.ts";

/**
 * Makes a key of a project. Its text is returned once and never stored. A caller that may repeat the request, such
 * as a reloaded page, chooses the `id`: the second time is refused with `key_exists`.
 */
export const createKey = managerOrOperatorOperation({
  name: "keys.create",
  async run(
    { service, db, caller: { projectId, personId } },
    input: { id?: string | undefined; name: string; permissions: readonly string[] },
  ): Promise<{ id: string; key: string }> {
    const { name, permissions } = checkNewKey(input.name, input.permissions);
    const id = input.id !== undefined && isId("key", input.id) ? input.id : newId("key");
    const { text, hash } = makeKey(projectId, id);
    await db.transaction(async (tx) => {
      const made = await tx.query(
        `INSERT INTO api_key (project_id, id, name, hash, permissions, created_by)
       SELECT $1, $2, $3, $4, $5, $6 FROM project WHERE project_id = $1
       ON CONFLICT DO NOTHING RETURNING id`,
        [projectId, id, name, hash, permissions, personId],
      );
      if (made.length === 0) throw id === input.id ? alreadyMade() : noProject();
      const data = { key_id: id, key_name: name, permissions };
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

const noProject = (): Refusal => new Refusal("not_found", "not_found", "No such project.");

const alreadyMade = (): Refusal =>
  new Refusal(
    "conflict",
    "key_exists",
    "This key has already been created and shown. If you did not copy it, revoke it and create another one.",
  );
