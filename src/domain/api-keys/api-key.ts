import { isPermission, type Permission } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";

/** A key as the project's settings list it; never the key itself. */
export interface ApiKey {
  id: string;
  name: string;
  permissions: Permission[];
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Checks what a new key should be called and may do. */
export function checkNewKey(
  name: string,
  permissions: readonly string[],
): { name: string; permissions: Permission[] } {
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > 100) {
    throw new Refusal(
      "malformed",
      "bad_key_name",
      "A key needs a name of 1 to 100 characters: what will use it?",
    );
  }
  const unknown = permissions.find((permission) => !isPermission(permission));
  if (unknown !== undefined)
    throw new Refusal("malformed", "bad_permission", `There is no permission "${unknown}".`);
  const known = [...new Set(permissions.filter(isPermission))];
  if (known.length === 0) throw new Refusal("malformed", "no_permission", "Tick at least one permission.");
  return { name: trimmed, permissions: known };
}
