import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

/** A text that only its passphrase opens: scrypt (RFC 7914) makes the key, AES-256-GCM seals. All parts are base64. */
export interface Sealed {
  kdf: "scrypt";
  cost: number;
  salt: string;
  nonce: string;
  text: string;
}

/** Takes about half a second and 128 MB, so that guessing passphrases is expensive. */
const COST = 131_072;
const TAG_BYTES = 16;

/** Seals a text with a passphrase. */
export async function sealWith(passphrase: string, text: string): Promise<Sealed> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", await keyOf(passphrase, salt, COST), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  const [a, b, c] = [salt, nonce, sealed].map((part) => part.toString("base64"));
  return { kdf: "scrypt", cost: COST, salt: a ?? "", nonce: b ?? "", text: c ?? "" };
}

/** Thrown if a passphrase is missing, or is not the one with which a text was sealed. */
export class WrongPassphrase extends Error {}

/** Opens a sealed text. Throws `WrongPassphrase`. */
export async function openWith(passphrase: string, sealed: Sealed): Promise<string> {
  const part = (text: string) => Buffer.from(text, "base64");
  const [bytes, nonce] = [part(sealed.text), part(sealed.nonce)];
  const key = await keyOf(passphrase, part(sealed.salt), sealed.cost);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new WrongPassphrase("The passphrase does not open this backup.", { cause });
  }
}

async function keyOf(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
  return await derive(passphrase, salt, 32, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 });
}
