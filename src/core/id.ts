import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** The source of a regular expression for an id without its prefix; tokens contain ids in this form. */
export const ID_BODY = "[0-9a-hjkmnp-tv-z]{26}";

const BODY = new RegExp(`^${ID_BODY}$`);

/** Two characters for each ten bits, for speed: an import makes millions of ids. */
const PAIRS = Array.from({ length: 1_024 }, (_, n) => ALPHABET.charAt(n >> 5) + ALPHABET.charAt(n & 31));

// Random bytes are fetched in bulk, also for speed.
const pool = Buffer.alloc(4_000);
let used = pool.length;

/** The millisecond of the last id, its characters, and how many of its 4,096 numbers are used. */
let told = { at: -1, text: "", taken: 0 };

const NUMBERS = 4_096;
/** If the clock is set back by more than this, ids follow it; otherwise they continue from the last one. */
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
  | "row"
  | "cert"
  | "chg"
  | "apr";

/**
 * Returns a time-ordered id: the prefix, then the 128 bits of a UUIDv7 (RFC 9562 5.7) in lower-case Crockford
 * base32, so that ids sort by time and survive spreadsheets. Ids of a process are strictly increasing: twelve bits
 * are a counter (RFC 9562 6.2, method 1), which overflows into the next millisecond.
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

/** The 48 bits of the time in ten characters, which hold 50 bits; the first two bits are zero. */
function tenCharacters(time: number): string {
  let text = "";
  for (let unit = 32 ** 9; unit >= 1; unit /= 32) text += ALPHABET.charAt(Math.floor(time / unit) % 32);
  return text;
}

/** Encodes five bytes of the pool. */
function eightCharacters(at: number): string {
  const high = pool.readUIntBE(at, 3);
  const low = pool.readUIntBE(at + 2, 3);
  return `${PAIRS[high >>> 14]}${PAIRS[(high >>> 4) & 1_023]}${PAIRS[(low >>> 10) & 1_023]}${PAIRS[low & 1_023]}`;
}

/** Whether a text has the form of an id of this kind; the id need not exist. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && BODY.test(text.slice(-26));
}

const LAST_MS = 2 ** 48 - 1;

/** Returns where the ids of a millisecond begin: before all ids of that time or later, behind all earlier ones. */
export const idsFrom = (prefix: IdPrefix, ms: number): string =>
  `${prefix}_${tenCharacters(Math.min(Math.max(Math.trunc(ms), 0), LAST_MS))}`;
