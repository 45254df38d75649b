import type { Needs, Permission } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/pool/database.ts";
import { doorSql } from "../../db/statements/door.ts";
import { exportWithheld } from "./export-withheld.ts";

const OPEN = doorSql(
  `SELECT allowed, CASE WHEN NOT allowed THEN permissions END AS permissions
  FROM (SELECT *, permissions && $4::text[] AND permissions @> $5::text[] AND NOT (export_withheld AND $6::boolean) AS allowed
    FROM store.api_key WHERE project_id = $1 AND id = $2) AS api_key
  WHERE hash = $3 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > leadgate.moment())`,
  "$1",
);

/** Opens a key's project if the key is valid and has what is needed. */
export function keyDoor(
  key: { projectId: string; id: string; hash: Buffer },
  { any, all = [], exports = false }: Needs,
): Door {
  return {
    statement: { text: OPEN, values: [key.projectId, key.id, key.hash, any, all, exports] },
    who: () => ({ credential: "key", id: key.id, project: key.projectId }),
    admit(row) {
      if (row === undefined) throw unknownKey();
      if (row.allowed === true) return;
      const has = new Set(row.permissions as Permission[]);
      const lacking = [
        ...(any.some((each) => has.has(each)) ? [] : [any.join(" or ")]),
        ...all.filter((each) => !has.has(each)),
      ];
      if (lacking.length === 0) throw exportWithheld("This API key may not export leads.");
      const text = `This API key lacks the permission ${lacking.join(" and ")}.`;
      throw new Refusal("forbidden", "missing_permission", text);
    },
  };
}

/** The refusal for every invalid key, whatever is wrong with it. */
export const unknownKey = (): Refusal =>
  new Refusal("unauthenticated", "invalid_key", "The API key is missing, unknown, expired or revoked.");
