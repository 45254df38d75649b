import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** 256 random bits as 64 hex characters; hex has no `_`, which separates the parts of tokens. */
export function randomSecret(): string {
  return randomBytes(32).toString("hex");
}

/** The SHA-256 hash, the only form in which a high-entropy secret is stored. */
export function hashOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** The service's few keys as key objects. */
const keyObjects = new Map<string, KeyObject>();

/** HMAC-SHA-256 of a text, in hex. `purpose` makes a MAC of one use invalid for another. */
export function macOf(key: string, purpose: string, text: string): string {
  let keyObject = keyObjects.get(key);
  if (keyObject === undefined) {
    keyObject = createSecretKey(key, "utf8");
    keyObjects.set(key, keyObject);
  }
  return createHmac("sha256", keyObject).update(`${purpose}\0${text}`).digest("hex");
}

const fingerprints = new Map<string, string>();

/** What proves to know a secret key, in 64 hex characters. */
export const markOf = (key: string): string => macOf(key, "fingerprint", "leadgate");

/** The 16 hex characters that name a secret key where the key itself must not be: in the database and in logs. */
export function fingerprintOf(key: string): string {
  const known = fingerprints.get(key) ?? markOf(key).slice(0, 16);
  fingerprints.set(key, known);
  return known;
}

/** Whether two texts are equal, in a time that depends only on their length. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Six hex characters by which scanners distinguish real tokens from look-alikes; not a security feature. */
export function checksumOf(body: string): string {
  return hash("sha256", `leadgate:${body}`, "hex").slice(0, 6);
}

/** Whether a token ends with the checksum of the part before its last underscore. */
export function hasChecksum(token: string): boolean {
  const cut = token.lastIndexOf("_");
  return cut > 0 && sameText(token.slice(cut + 1), checksumOf(token.slice(0, cut)));
}

/**
 * Encrypts text that must be read again (AES-256-GCM), with a key per purpose derived from the first key
 * (HKDF, RFC 5869). `purpose` also binds the text to its row, so that it cannot be opened as another row's.
 */
export function seal(secretKeys: readonly string[], purpose: string, text: string): string {
  const [first] = secretKeys;
  if (first === undefined) throw new Error("the service was started without a secret key");
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(first, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** The text that was sealed for this purpose with any of our keys; undefined for anything else. */
export function unseal(secretKeys: readonly string[], purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < 28) return undefined;
  for (const key of secretKeys) {
    try {
      const decipher = createDecipheriv("aes-256-gcm", sealingKey(key, purpose), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    } catch {
      // sealed with another key: the next one may open it
    }
  }
  return undefined;
}

/**
 * Longer purposes are hashed: HKDF takes 1,024 bytes. Those of values in the database are shorter, so they stay
 * unhashed.
 */
const SHORT_PURPOSE = 900;

function sealingKey(key: string, purpose: string): Buffer {
  const isShort = Buffer.byteLength(purpose) <= SHORT_PURPOSE;
  const info = isShort ? purpose : `sha256 ${hash("sha256", purpose, "hex")}`;
  return Buffer.from(hkdfSync("sha256", key, "", `leadgate seal\0${info}`, 32));
}
