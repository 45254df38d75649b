import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Damaged } from "./damaged.ts";

/*
 * A sealed file: 16 random bytes, from which with the key of its backup the key of the file is derived (HKDF, RFC 5869), then chunks of
 * 64 KB, each with a tag (AES-256-GCM). The nonce has the number of the chunk and whether it is the last one, so that no chunk can
 * be left out, moved or added (STREAM, Hoang et al. 2015).
 */
const SALT_BYTES = 16;
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
const PURPOSE = "leadgate backup file";

const keyOf = (key: Buffer, salt: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, purpose, 32));

function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(chunk, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Parts of one size, which are followed by a last one that may be shorter or empty. */
async function* parts(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ bytes: Buffer; chunk: number; isLast: boolean }> {
  let [rest, chunk]: [Buffer, number] = [Buffer.alloc(0), 0];
  for await (const bytes of source) {
    rest = Buffer.concat([rest, bytes]);
    // One byte more than a chunk shows that it is not the last one.
    for (; rest.length > size; rest = rest.subarray(size), chunk += 1)
      yield { bytes: rest.subarray(0, size), chunk, isLast: false };
  }
  yield { bytes: rest, chunk, isLast: true };
}

/** Encrypts a file. */
export async function* sealing(key: Buffer, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const own = keyOf(key, salt, PURPOSE);
  yield salt;
  for await (const { bytes, chunk, isLast } of parts(source, CHUNK_BYTES)) {
    const cipher = createCipheriv("aes-256-gcm", own, nonceOf(chunk, isLast));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Decrypts a sealed file; throws `Damaged` if a byte of it is wrong or missing. */
export async function* opening(
  key: Buffer,
  path: string,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const all = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  for (let next = await all.next(); !next.done; next = await all.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= SALT_BYTES) break;
  }
  const own = keyOf(key, start.subarray(0, SALT_BYTES), PURPOSE);
  const rest = (async function* () {
    yield start.subarray(SALT_BYTES);
    for (let next = await all.next(); !next.done; next = await all.next()) yield next.value;
  })();
  for await (const { bytes, chunk, isLast } of parts(rest, CHUNK_BYTES + TAG_BYTES))
    try {
      const decipher = createDecipheriv("aes-256-gcm", own, nonceOf(chunk, isLast), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      yield Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch (cause) {
      throw new Damaged(`${path} is not as it was written, or has another key.`, { cause });
    }
}

/** A new key for the files of a backup or of an archive. */
export const freshKey = (): Buffer => randomBytes(32);

/**
 * Encrypts or decrypts a part of a file that grows and is written again with the same bytes: the same bytes at the same place give the
 * same result (AES-256-CTR under a key of its own for each file). A wrong byte is not noticed here, but by what the file has.
 */
export function atOffset(key: Buffer, name: string, bytes: Buffer, offset: number): Buffer {
  const counter = Buffer.alloc(16);
  counter.writeBigUInt64BE(BigInt(Math.floor(offset / 16)), 8);
  const cipher = createCipheriv(
    "aes-256-ctr",
    keyOf(key, Buffer.alloc(0), `leadgate growing file ${name}`),
    counter,
  );
  cipher.update(Buffer.alloc(offset % 16));
  return cipher.update(bytes);
}
