import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Answer, Call, Connection } from "./connection.ts";
import { StoreError } from "./store-error.ts";
import { SHA256_HEADER } from "./upload.ts";

export interface DownloadOptions {
  /** The SHA-256 that the file must have, in hexadecimal; else that which was kept with it. */
  sha256?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What has arrived of a file. */
interface Arriving {
  file: FileHandle;
  bytes: number;
  hash: Hash;
  /** Of the first answer: a file that is replaced meanwhile is not continued. */
  tag?: string | undefined;
  total?: number | undefined;
  sha256?: string | undefined;
}

/**
 * Writes the file of a key to a path. A connection that breaks is continued where it broke. Throws if the file is not as long as the
 * store said, or has another checksum than it was sent with; then there is nothing at the path.
 */
export async function download(
  connection: Connection,
  key: string,
  path: string,
  { sha256, signal }: DownloadOptions,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.partial`;
  const file = await open(partial, "w", 0o600);
  const arriving: Arriving = { file, bytes: 0, hash: createHash("sha256") };
  try {
    for (let before = -1; arriving.bytes > before && arriving.bytes !== arriving.total; ) {
      before = arriving.bytes;
      await receive(connection, key, arriving, signal).catch((error: unknown) => {
        // As long as something arrives each time, it goes on.
        if (!(error instanceof StoreError) || !error.isTemporary || arriving.bytes === before) throw error;
      });
    }
    const expected = sha256 ?? arriving.sha256;
    if (arriving.bytes !== arriving.total || (expected && arriving.hash.digest("hex") !== expected))
      throw new Error(`${key} arrived damaged: it is not the file that was sent to the store.`);
    await file.close();
    await rename(partial, path);
  } finally {
    await file.close();
    await rm(partial, { force: true });
  }
}

async function receive(
  connection: Connection,
  key: string,
  arriving: Arriving,
  signal: AbortSignal | undefined,
): Promise<void> {
  const call = (): Call => {
    const { bytes, tag } = arriving;
    const rest = bytes > 0 ? { range: `bytes=${bytes}-`, ...(tag ? { "if-match": tag } : {}) } : {};
    return { method: "GET", key, headers: rest, signal };
  };
  await connection.send(call, async (answer) => {
    await start(arriving, answer);
    for await (const chunk of answer.chunks) {
      for (let at = 0; at < chunk.length; )
        at += (await arriving.file.write(chunk, at, chunk.length - at, arriving.bytes + at)).bytesWritten;
      arriving.hash.update(chunk);
      arriving.bytes += chunk.length;
    }
    arriving.total ??= arriving.bytes;
  });
}

/** Takes the head of an answer. One that does not continue (200) starts again. */
async function start(arriving: Arriving, { status, headers }: Answer): Promise<void> {
  if (status === 206) return;
  await arriving.file.truncate(0);
  arriving.bytes = 0;
  arriving.hash = createHash("sha256");
  arriving.tag = headers.etag;
  const length = headers["content-length"];
  arriving.total = length === undefined ? undefined : Number(length);
  arriving.sha256 = headers[SHA256_HEADER]?.toString();
}
