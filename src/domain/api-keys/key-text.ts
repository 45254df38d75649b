import { ID_BODY } from "../../core/id.ts";
import { checksumOf, hasChecksum, hashOf, randomSecret } from "../../core/secret.ts";

const FORM = new RegExp(`^lgk_(${ID_BODY})_(${ID_BODY})_[0-9a-f]{64}_[0-9a-f]{6}$`);

/** The text of a new key, `lgk_<project>_<key>_<256-bit random>_<checksum>`, and the hash that is stored of it. */
export function makeKey(projectId: string, keyId: string): { text: string; hash: Buffer } {
  const body = `lgk_${projectId.slice(4)}_${keyId.slice(4)}_${randomSecret()}`;
  const text = `${body}_${checksumOf(body)}`;
  return { text, hash: hashOf(text) };
}

/** What a key's text says of itself: project and id route it, the hash has to match. Undefined for anything else. */
export function readKey(text: string): { projectId: string; id: string; hash: Buffer } | undefined {
  const [, project, key] = FORM.exec(text) ?? [];
  if (project === undefined || key === undefined || !hasChecksum(text)) return undefined;
  return { projectId: `prj_${project}`, id: `key_${key}`, hash: hashOf(text) };
}
