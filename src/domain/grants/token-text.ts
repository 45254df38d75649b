import { ID_BODY } from "../../core/id.ts";
import {
  checksumOf,
  fingerprintOf,
  hasChecksum,
  hashOf,
  macOf,
  randomSecret,
  sameText,
} from "../../core/secret.ts";

/** The project that a token's text names, and the hash by which the token is found there. */
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

/** The project and hash of a code; undefined if the text is not a code. */
export const readCode = (text: string): TokenAddress | undefined => read("lgc", text);

/** The project and hash of an access token; undefined if the text is not an access token. */
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

/** The authorization and generation of a refresh token; `hash` is of its random part. */
export interface RefreshAddress {
  projectId: string;
  authorizationId: string;
  generation: number;
  hash: Buffer;
}

const REFRESH_FORM = new RegExp(
  `^lgr_(${ID_BODY})_(${ID_BODY})_([1-9][0-9]{0,8})_([0-9a-f]{64})_([0-9a-f]{64})$`,
);

const macOfRefresh = (key: string, body: string): string => macOf(key, "refresh-token", body);

/**
 * A new refresh token: `lgr_<project>_<authorization>_<generation>_<random>_<MAC>`. The MAC proves that we issued a
 * token whose hash is no longer stored; it never grants access by itself.
 */
export function newRefreshToken(
  secretKeys: readonly string[],
  place: { projectId: string; authorizationId: string; generation: number },
): FreshToken & { signedBy: string } {
  const [first] = secretKeys;
  if (first === undefined) throw new Error("the service was started without a secret key");
  const random = randomSecret();
  const [project, authorization] = [
    place.projectId.slice("prj_".length),
    place.authorizationId.slice("az_".length),
  ];
  const body = `lgr_${project}_${authorization}_${place.generation}_${random}`;
  return {
    text: `${body}_${macOfRefresh(first, body)}`,
    hash: hashOf(random),
    signedBy: fingerprintOf(first),
  };
}

/** The parts of a refresh token; undefined if none of our keys signed it. */
export function readRefreshToken(secretKeys: readonly string[], text: string): RefreshAddress | undefined {
  const cut = text.lastIndexOf("_");
  const [body, mac] = [text.slice(0, cut), text.slice(cut + 1)];
  const claimed = claimedRefreshToken(text);
  if (claimed === undefined) return undefined;
  return secretKeys.some((key) => sameText(mac, macOfRefresh(key, body))) ? claimed : undefined;
}

/** The parts that a text of this form claims to have; nothing is verified. */
export function claimedRefreshToken(text: string): RefreshAddress | undefined {
  const [, project, authorization, generation, random] = REFRESH_FORM.exec(text) ?? [];
  if (random === undefined) return undefined;
  return {
    projectId: `prj_${project}`,
    authorizationId: `az_${authorization}`,
    generation: Number(generation),
    hash: hashOf(random),
  };
}
