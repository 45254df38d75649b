import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/database.ts";
import type { Service } from "../service.ts";
import { checkNewKey } from "./api-key.ts";
import { makeKey } from "./key-text.ts";

/** Makes a key for the project behind the door. The text is answered once and never stored. */
export async function createKey(
  service: Service,
  door: Door,
  input: { projectId: string; name: string; permissions: readonly string[]; createdBy: string | null },
): Promise<{ id: string; key: string }> {
  const { name, permissions } = checkNewKey(input.name, input.permissions);
  const id = newId("key");
  const { text, hash } = makeKey(input.projectId, id);
  const made = await service.db.behind(door).query(
    `INSERT INTO api_key (project_id, id, name, hash, permissions, created_by)
     SELECT $1, $2, $3, $4, $5, $6 FROM project WHERE project_id = $1 RETURNING id`,
    [input.projectId, id, name, hash, permissions, input.createdBy],
  );
  if (made.length === 0) throw new Refusal("not_found", "not_found", "No such project.");
  return { id, key: text };
}
