import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits as 64 hex characters: no `_`, which separates the parts of our tokens. */
export function randomSecret(): string {
  return randomBytes(32).toString("hex");
}

/** SHA-256, the only form in which a secret of high entropy is stored. */
export function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** HMAC-SHA-256 of a text, hex. `purpose` keeps a MAC of one use from passing for another. */
export function macOf(key: string, purpose: string, text: string): string {
  return createHmac("sha256", key).update(`${purpose}\0${text}`).digest("hex");
}

/** Compares two texts in a time that depends only on their length. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Six hex characters that let a scanner tell a real token of ours from look-alikes; no security rests on them. */
export function checksumOf(body: string): string {
  return createHash("sha256").update(`leadgate:${body}`).digest("hex").slice(0, 6);
}

/** Whether a token ends in the checksum of what stands before its last underscore. */
export function hasChecksum(token: string): boolean {
  const cut = token.lastIndexOf("_");
  return cut > 0 && sameText(token.slice(cut + 1), checksumOf(token.slice(0, cut)));
}
