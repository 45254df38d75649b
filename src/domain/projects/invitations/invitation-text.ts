import { ID_BODY } from "../../../core/id.ts";
import { checksumOf, hasChecksum, hashOf, randomSecret } from "../../../core/secret.ts";

const FORM = new RegExp(`^lgi_(${ID_BODY})_[0-9a-f]{64}_[0-9a-f]{6}$`);

/** The text of a new invitation, `lgi_<project>_<256-bit random>_<checksum>`, and the hash that is stored. */
export function newInvitation(projectId: string): { text: string; hash: Buffer } {
  const body = `lgi_${projectId.slice("prj_".length)}_${randomSecret()}`;
  const text = `${body}_${checksumOf(body)}`;
  return { text, hash: hashOf(text) };
}

/** The project and hash of an invitation's text; undefined if the text is not an invitation. */
export function readInvitation(text: string): { projectId: string; hash: Buffer } | undefined {
  const [, project] = FORM.exec(text) ?? [];
  if (project === undefined || !hasChecksum(text)) return undefined;
  return { projectId: `prj_${project}`, hash: hashOf(text) };
}
