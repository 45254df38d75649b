import { ID_BODY } from "../../core/id.ts";
import { checksumOf, hasChecksum, hashOf, randomSecret } from "../../core/secret.ts";

/** A token that is found by its hash, in the project that its text names. */
export interface TokenAddress {
  projectId: string;
  hash: Buffer;
}

export interface FreshToken {
  text: string;
  hash: Buffer;
}

type Kind = "lgc" | "lga";

const FORM = new RegExp(`^(lgc|lga)_(${ID_BODY})_[0-9a-f]{64}_[0-9a-f]{6}$`);

/** A new authorization code: `lgc_<project>_<random>_<checksum>`. */
export const newCode = (projectId: string): FreshToken => fresh("lgc", projectId);

/** A new access token: `lga_<project>_<random>_<checksum>`. */
export const newAccessToken = (projectId: string): FreshToken => fresh("lga", projectId);

/** Where a code's row would be; undefined for what is no code of ours. */
export const readCode = (text: string): TokenAddress | undefined => read("lgc", text);

/** Where an access token's row would be; undefined for what is no access token of ours. */
export const readAccessToken = (text: string): TokenAddress | undefined => read("lga", text);

function fresh(kind: Kind, projectId: string): FreshToken {
  const body = `${kind}_${projectId.slice("prj_".length)}_${randomSecret()}`;
  const text = `${body}_${checksumOf(body)}`;
  return { text, hash: hashOf(text) };
}

function read(kind: Kind, text: string): TokenAddress | undefined {
  const form = FORM.exec(text);
  if (form === null || form[1] !== kind || !hasChecksum(text)) return undefined;
  return { projectId: `prj_${form[2]}`, hash: hashOf(text) };
}
