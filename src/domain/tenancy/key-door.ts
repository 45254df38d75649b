import type { Permission } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/pool/database.ts";

const OPEN = `SELECT permissions && $4::text[] AS allowed,
    CASE WHEN permissions && $4::text[] THEN set_config('leadgate.project', project_id, true) END AS opened
  FROM store.api_key
  WHERE project_id = $1 AND id = $2 AND hash = $3 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > leadgate.moment())`;

/** Opens a key's project if the key is valid and has one of the permissions. */
export function keyDoor(
  key: { projectId: string; id: string; hash: Buffer },
  ...needs: readonly Permission[]
): Door {
  return {
    statement: { text: OPEN, values: [key.projectId, key.id, key.hash, needs] },
    admit(row) {
      if (row === undefined) throw unknownKey();
      if (row.allowed !== true) {
        const text = `This API key lacks the permission ${needs.join(" or ")}.`;
        throw new Refusal("forbidden", "missing_permission", text);
      }
    },
  };
}

/** The refusal for every invalid key, whatever is wrong with it. */
export const unknownKey = (): Refusal =>
  new Refusal("unauthenticated", "invalid_key", "The API key is missing, unknown, expired or revoked.");
