import { isId, newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/pool/database.ts";
import { record } from "../operation/audit/record.ts";
import type { Service } from "../operation/service/service.ts";
import { checkNewKey, makeKey } from "./api-key.ts";

/**
 * Makes a key for the project behind the door. The text is answered once and never stored. Whoever may ask twice for
 * one key, as a page that is loaded again does, chooses its `id`: the second time is refused with `key_exists`.
 */
export async function createKey(
  service: Service,
  door: Door,
  input: {
    projectId: string;
    id?: string | undefined;
    name: string;
    permissions: readonly string[];
    createdBy: string | null;
  },
): Promise<{ id: string; key: string }> {
  const { name, permissions } = checkNewKey(input.name, input.permissions);
  const id = input.id !== undefined && isId("key", input.id) ? input.id : newId("key");
  const { text, hash } = makeKey(input.projectId, id);
  const { projectId, createdBy } = input;
  await service.db.behind(door).transaction(async (tx) => {
    const made = await tx.query(
      `INSERT INTO api_key (project_id, id, name, hash, permissions, created_by)
       SELECT $1, $2, $3, $4, $5, $6 FROM project WHERE project_id = $1
       ON CONFLICT DO NOTHING RETURNING id`,
      [projectId, id, name, hash, permissions, createdBy],
    );
    if (made.length === 0) throw id === input.id ? alreadyMade() : noProject();
    const data = { key_id: id, key_name: name, permissions };
    await record(service, tx, { action: "key.created", projectId, ...by(createdBy), data });
  });
  return { id, key: text };
}

const noProject = (): Refusal => new Refusal("not_found", "not_found", "No such project.");

const alreadyMade = (): Refusal =>
  new Refusal(
    "conflict",
    "key_exists",
    "This key has already been created and shown. If you did not copy it, revoke it and create another one.",
  );

/** The command line makes keys too, in nobody's name. */
const by = (personId: string | null) => (personId === null ? {} : { actor: personId });
