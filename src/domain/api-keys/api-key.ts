import { ID_BODY } from "../../core/id.ts";
import { isPermission, PERMISSIONS, type Permission } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { checksumOf, hasChecksum, hashOf, randomSecret } from "../../core/secret.ts";

const FORM = new RegExp(`^lgk_(${ID_BODY})_(${ID_BODY})_[0-9a-f]{64}_[0-9a-f]{6}$`);

/** The text of a new key, `lgk_<project>_<key>_<256-bit random>_<checksum>`, and the hash that is stored. */
export function makeKey(projectId: string, keyId: string): { text: string; hash: Buffer } {
  const body = `lgk_${projectId.slice(4)}_${keyId.slice(4)}_${randomSecret()}`;
  const text = `${body}_${checksumOf(body)}`;
  return { text, hash: hashOf(text) };
}

/** The project, id and hash of a key's text; the hash must still be compared. Undefined if the text is not a key. */
export function readKey(text: string): { projectId: string; id: string; hash: Buffer } | undefined {
  const [, project, key] = FORM.exec(text) ?? [];
  if (project === undefined || key === undefined || !hasChecksum(text)) return undefined;
  return { projectId: `prj_${project}`, id: `key_${key}`, hash: hashOf(text) };
}

/** A key as the project's settings list it, without its text. */
export interface ApiKey {
  id: string;
  name: string;
  permissions: Permission[];
  /** Whether it may not take leads out in bulk, although it may read them. */
  exportWithheld: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Checks the name and permissions of a new key. */
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
    throw new Refusal(
      "malformed",
      "bad_permission",
      `"${unknown}" is not a permission. It must be one of ${PERMISSIONS.join(", ")}.`,
    );
  const known = [...new Set(permissions.filter(isPermission))];
  if (known.length === 0) throw new Refusal("malformed", "no_permission", "Select at least one permission.");
  return { name: trimmed, permissions: known };
}
