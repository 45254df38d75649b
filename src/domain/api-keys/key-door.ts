import type { Permission } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/database.ts";

const OPEN = `SELECT $4 = ANY(permissions) AS allowed,
    CASE WHEN $4 = ANY(permissions) THEN set_config('leadgate.project', project_id, true) END AS opened
  FROM store.api_key
  WHERE project_id = $1 AND id = $2 AND hash = $3 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > leadgate.moment())`;

/** Opens a key's project when the key is valid and carries the permission. One indexed read. */
export function keyDoor(key: { projectId: string; id: string; hash: Buffer }, needs: Permission): Door {
  return {
    statement: { text: OPEN, values: [key.projectId, key.id, key.hash, needs] },
    admit(row) {
      if (row === undefined) throw unknownKey();
      if (row.allowed !== true) {
        throw new Refusal("forbidden", "missing_permission", `This API key lacks the permission ${needs}.`);
      }
    },
  };
}

/** What a caller without a valid key hears, whatever is wrong with it. */
export const unknownKey = (): Refusal =>
  new Refusal("unauthenticated", "invalid_key", "The API key is missing, unknown, expired or revoked.");
