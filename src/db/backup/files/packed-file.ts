import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable, type Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress, constants as zlib } from "node:zlib";
import { Damaged } from "./damaged.ts";
import { opening, sealing } from "./sealed-stream.ts";

/** A file of a backup, and what it was like when it was written. */
export interface BackupFile {
  /** Its path in the folder of the backup. */
  name: string;
  bytes: number;
  sha256: string;
}

/** A file of a backup that is being written: what is written to `input` is compressed, counted and hashed. */
export interface PackedFile {
  input: Writable;
  /** Ends the input and makes the file survive a power failure. */
  finish(): Promise<BackupFile>;
}

/** Creates a compressed file (zstd) in a folder, encrypted if there is a key. */
export async function packedFile(folder: string, name: string, key: Buffer | null): Promise<PackedFile> {
  const file = await open(join(folder, name), "wx", 0o600);
  const input = createZstdCompress({ params: { [zlib.ZSTD_c_compressionLevel]: 3 } });
  const hash = createHash("sha256");
  let bytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      writeAll(file, chunk).then(() => done(), done);
    },
    final(done) {
      file.sync().then(() => done(), done);
    },
    // Also after a failure.
    destroy(error, done) {
      file.close().then(() => done(error), done);
    },
  });
  const written =
    key === null ? pipeline(input, sink) : pipeline(input, (source) => sealing(key, source), sink);
  written.catch(() => undefined);
  return {
    input,
    async finish() {
      input.end();
      await written;
      return { name, bytes, sha256: hash.digest("hex") };
    },
  };
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
}

/** The name, size and hash of every file in a folder of a backup. */
export async function describeFiles(folder: string, inside: string): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const name of (await readdir(join(folder, inside))).sort()) {
    const path = join(folder, inside, name);
    files.push({ name: `${inside}/${name}`, bytes: (await stat(path)).size, sha256: await hashOfFile(path) });
  }
  return files;
}

/** Throws if a file of a backup is missing or is not as it was written. */
export async function checkFile(folder: string, { name, bytes, sha256 }: BackupFile): Promise<void> {
  const path = join(folder, name);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Damaged(`${path} is missing.`);
  if (found.size !== bytes || (await hashOfFile(path)) !== sha256)
    throw new Damaged(`${path} is not as it was written.`);
}

async function hashOfFile(path: string): Promise<string> {
  const hash: Hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Reads a compressed file, which is encrypted if there is a key. */
export function unpacked(path: string, key: Buffer | null): Readable {
  const file = createReadStream(path);
  const opened = key === null ? file : Readable.from(opening(key, path, file));
  return opened.pipe(passErrors(opened, createZstdDecompress()));
}

function passErrors<T extends Transform>(from: Readable, to: T): T {
  from.once("error", (error) => to.destroy(error));
  return to;
}
