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

/** The millisecond of the last id, its characters, and how many of its 4,096 numbers are taken. */
let told = { at: -1, text: "", taken: 0 };

const NUMBERS = 4_096;
/** A clock that is set back further than this is followed; until then ids go on from where they were. */
const LOOK_BACK = 10_000;

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
 * Crockford's base32 in lower case, so that ids sort by time and survive spreadsheets. Within a
 * process each sorts after those before it: the twelve bits behind the time count (RFC 9562 6.2,
 * method 1, the next millisecond lends its numbers where one runs out), the rest is random.
 */
export function newId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  const now = Date.now();
  if (now > told.at || now < told.at - LOOK_BACK) begin(now);
  else if (told.taken === NUMBERS) begin(told.at + 1);
  const number = told.taken;
  told.taken += 1;
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used;
  used += 10;
  pool.writeUInt16BE(0x7000 | number, at);
  pool.writeUInt8((pool.readUInt8(at + 2) & 0x3f) | 0x80, at + 2);
  return `${prefix}_${told.text}${eightCharacters(at)}${eightCharacters(at + 5)}`;
}

function begin(at: number): void {
  told = { at, text: tenCharacters(at), taken: 0 };
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
