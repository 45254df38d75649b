import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** The part of an id behind its prefix, as a regular expression's source; tokens name ids by it. */
export const ID_BODY = "[0-9a-hjkmnp-tv-z]{26}";

const BODY = new RegExp(`^${ID_BODY}$`);

// Random bytes are fetched in bulk: an import makes hundreds of thousands of ids.
const pool = Buffer.alloc(4_096);
let used = pool.length;

export type IdPrefix =
  | "prj"
  | "per"
  | "key"
  | "lead"
  | "evt"
  | "imp"
  | "fld"
  | "req"
  | "app"
  | "az"
  | "ses"
  | "set";

/**
 * A time-ordered id: prefix, then the 128 bits of a UUIDv7 (RFC 9562 5.7) as 26 characters of
 * Crockford's base32 in lower case, so that ids sort by time and survive spreadsheets.
 */
export function newId<P extends IdPrefix>(prefix: P, now = Date.now()): `${P}_${string}` {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + 16);
  used += 16;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `${prefix}_${base32(bytes)}`;
}

function base32(bytes: Buffer): string {
  let rest = (bytes.readBigUInt64BE(0) << 64n) | bytes.readBigUInt64BE(8);
  let text = "";
  for (let i = 0; i < 26; i += 1) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return text;
}

/** Whether a text has the form of an id of this kind; says nothing about its existence. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && BODY.test(text.slice(-26));
}
