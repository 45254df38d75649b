import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** The part of an id behind its prefix, as a regular expression's source; tokens name ids by it. */
export const ID_BODY = "[0-9a-hjkmnp-tv-z]{26}";

const BODY = new RegExp(`^${ID_BODY}$`);

/** Two characters for every ten bits: an import makes millions of ids. */
const PAIRS = Array.from({ length: 1_024 }, (_, n) => ALPHABET.charAt(n >> 5) + ALPHABET.charAt(n & 31));

// Random bytes are fetched in bulk, for the same reason.
const pool = Buffer.alloc(4_000);
let used = pool.length;

/** The characters of the millisecond that was asked for last. */
let told = { at: -1, text: "" };

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
  | "set"
  | "inv"
  | "view"
  | "mrg"
  | "exp"
  | "job"
  | "ds"
  | "row";

/**
 * A time-ordered id: prefix, then the 128 bits of a UUIDv7 (RFC 9562 5.7) as 26 characters of
 * Crockford's base32 in lower case, so that ids sort by time and survive spreadsheets.
 */
export function newId<P extends IdPrefix>(prefix: P, now = Date.now()): `${P}_${string}` {
  if (told.at !== now) told = { at: now, text: tenCharacters(now) };
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used;
  used += 10;
  pool.writeUInt8((pool.readUInt8(at) & 0x0f) | 0x70, at);
  pool.writeUInt8((pool.readUInt8(at + 2) & 0x3f) | 0x80, at + 2);
  return `${prefix}_${told.text}${eightCharacters(at)}${eightCharacters(at + 5)}`;
}

/** The 48 bits of the time; two zero bits come first, because 26 characters hold 130. */
function tenCharacters(time: number): string {
  let text = "";
  for (let unit = 32 ** 9; unit >= 1; unit /= 32) text += ALPHABET.charAt(Math.floor(time / unit) % 32);
  return text;
}

/** Five bytes of the pool. */
function eightCharacters(at: number): string {
  const high = pool.readUIntBE(at, 3);
  const low = pool.readUIntBE(at + 2, 3);
  return `${PAIRS[high >>> 14]}${PAIRS[(high >>> 4) & 1_023]}${PAIRS[(low >>> 10) & 1_023]}${PAIRS[low & 1_023]}`;
}

/** Whether a text has the form of an id of this kind; says nothing about its existence. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && BODY.test(text.slice(-26));
}
