import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** The checksums by which a store refuses a damaged upload. */
export interface Digests {
  /** SHA-256 in hexadecimal, part of the signature. */
  sha256: string;
  /** MD5 in base64, where a request needs the header Content-MD5. */
  md5?: string;
}

/** The checksums of some bytes of a file. Throws if the file has fewer. */
export async function digestsOf(
  path: string,
  { start, bytes, md5 }: { start: number; bytes: number; md5: boolean },
): Promise<Digests> {
  const hashes = { sha256: createHash("sha256"), ...(md5 ? { md5: createHash("md5") } : {}) };
  let read = 0;
  // A range cannot be empty.
  if (bytes > 0)
    for await (const chunk of createReadStream(path, {
      start,
      end: start + bytes - 1,
      highWaterMark: 262_144,
    })) {
      for (const hash of Object.values(hashes)) hash.update(chunk as Buffer);
      read += (chunk as Buffer).length;
    }
  if (read !== bytes) throw new Error(`${path} became shorter while it was sent to the store.`);
  const { sha256, md5: second } = hashes;
  return { sha256: sha256.digest("hex"), ...(second ? { md5: second.digest("base64") } : {}) };
}

/** The checksums of a short body. */
export const digestsOfBytes = (body: Buffer): Required<Digests> => ({
  sha256: createHash("sha256").update(body).digest("hex"),
  md5: createHash("md5").update(body).digest("base64"),
});
