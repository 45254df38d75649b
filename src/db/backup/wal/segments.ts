import { createHash } from "node:crypto";
import { constants, type FileHandle, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { constants as zlib, zstdCompress, zstdDecompress } from "node:zlib";
import { syncFolder } from "../../embedded/host/sync-folder.ts";
import { Damaged } from "../files/damaged.ts";
import { atOffset, opening, sealing } from "../files/sealed-stream.ts";
import { isSegment, segmentEnd, segmentName, segmentStart } from "./lsn.ts";
import type { LogOrigin } from "./walk.ts";

const COMPLETE = ".zst";
/** A segment that is not complete, as the server writes it: without the bytes that are still to come. */
const GROWING = ".partial";
/** What the name of an encrypted file ends with. */
const SEALED = ".sealed";

/**
 * Behind a compressed segment: a frame that zstd skips (RFC 8878, 3.1.2) with the SHA-256 of the bytes before it. Encrypted segments need
 * none.
 */
const SUM_HEADER = Buffer.from("502a4d1820000000", "hex");
const SUM_BYTES = SUM_HEADER.length + 32;

/** A folder of segments of the write-ahead log: complete ones compressed, the last one as it grows; all encrypted if there is a key. */
export class SegmentFolder {
  readonly folder: string;
  readonly #origin: LogOrigin;
  readonly #key: Buffer | null;
  #file: { name: string; handle: FileHandle; hash: ReturnType<typeof createHash> } | undefined;
  #isDirty = false;

  constructor(folder: string, origin: LogOrigin, key: Buffer | null) {
    this.folder = folder;
    this.#origin = origin;
    this.#key = key;
  }

  /** Creates the folder; returns where the log goes on behind the last complete segment, if there is one. */
  async open(): Promise<bigint | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { timeline, segmentBytes } = this.#origin;
    const prefix = segmentName(timeline, 0n, segmentBytes).slice(0, 8);
    const files = await segmentFiles(this.folder);
    const last = files.filter(({ name, isGrowing }) => !isGrowing && name.startsWith(prefix)).at(-1);
    // What a killed run left.
    for (const { name, file, isGrowing } of files)
      if (isGrowing && name <= (last?.name ?? "")) await rm(join(this.folder, file));
    return last === undefined ? undefined : segmentEnd(last.name, segmentBytes);
  }

  /** Writes the bytes of the log that come next; they may go on in further segments. */
  async write(from: bigint, bytes: Buffer): Promise<void> {
    const { timeline, segmentBytes } = this.#origin;
    for (let at = from, rest = bytes; rest.length > 0; ) {
      const offset = Number(at - segmentStart(at, segmentBytes));
      const part = rest.subarray(0, segmentBytes - offset);
      const name = segmentName(timeline, at, segmentBytes);
      const file = await this.#open(name);
      const stored = this.#key === null ? part : atOffset(this.#key, name, part, offset);
      await file.handle.write(stored, 0, stored.length, offset);
      file.hash.update(part);
      this.#isDirty = true;
      if (offset + part.length === segmentBytes) await this.#complete();
      at += BigInt(part.length);
      rest = rest.subarray(part.length);
    }
  }

  /** Makes all that was written survive a power failure; returns the SHA-256 of what the last segment has, if it is not complete. */
  async sync(): Promise<string | undefined> {
    if (this.#isDirty) {
      this.#isDirty = false;
      await this.#file?.handle.datasync();
    }
    return this.#file?.hash.copy().digest("hex");
  }

  async close(): Promise<void> {
    await this.sync();
    await this.#file?.handle.close();
    this.#file = undefined;
  }

  async #open(name: string) {
    if (this.#file?.name === name) return this.#file;
    await this.close();
    // What an earlier run wrote of this segment is kept and written again with the same bytes.
    const handle = await open(this.#path(name + GROWING), constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#file = { name, handle, hash: createHash("sha256") };
    await syncFolder(this.folder);
    return this.#file;
  }

  async #complete(): Promise<void> {
    const name = this.#file?.name ?? "";
    await this.close();
    const growing = this.#path(name + GROWING);
    const { bytes } = await readStored(growing, { name, isGrowing: true, key: this.#key });
    const path = this.#path(name + COMPLETE);
    const fresh = await open(`${path}.new`, "w", 0o600);
    try {
      await fresh.writeFile(await packed(bytes, this.#key));
      await fresh.sync();
    } finally {
      await fresh.close();
    }
    await rename(`${path}.new`, path);
    await syncFolder(this.folder);
    await rm(growing);
  }

  #path(file: string): string {
    return join(this.folder, this.#key === null ? file : file + SEALED);
  }
}

async function packed(bytes: Buffer, key: Buffer | null): Promise<Buffer> {
  const frame = await promisify(zstdCompress)(bytes, {
    params: { [zlib.ZSTD_c_compressionLevel]: 1, [zlib.ZSTD_c_checksumFlag]: 1 },
  });
  if (key !== null) return await buffer(sealing(key, Readable.from([frame])));
  return Buffer.concat([frame, SUM_HEADER, sha256(frame)]);
}

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();

/** A file of a segment. */
export interface SegmentFile {
  /** The name of the segment, and that of the file. */
  name: string;
  file: string;
  isGrowing: boolean;
}

/** The files of the segments in a folder, in order; of a segment that is both complete and growing, the complete one comes last. */
export async function segmentFiles(folder: string): Promise<SegmentFile[]> {
  const files = await readdir(folder).catch(() => []);
  return files
    .flatMap((file) => {
      const [, name = "", kind] = /^([0-9A-F]{24})(\.zst|\.partial)(?:\.sealed)?$/.exec(file) ?? [];
      return isSegment(name) ? [{ name, file, isGrowing: kind === GROWING }] : [];
    })
    .sort((a, b) => (a.name < b.name || (a.name === b.name && a.isGrowing) ? -1 : 1));
}

interface Stored {
  name: string;
  isGrowing: boolean;
  key: Buffer | null;
}

/** The bytes of a segment's file as PostgreSQL wrote them; throws `Damaged` if they are not as they were archived. */
export async function readStored(
  path: string,
  { name, isGrowing, key }: Stored,
): Promise<{ bytes: Buffer; hasSum: boolean }> {
  const stored = await readFile(path).catch((cause: unknown) => {
    throw new Damaged(`${path} cannot be read: ${(cause as Error).message}.`, { cause });
  });
  if (path.endsWith(SEALED) !== (key !== null))
    throw new Damaged(`${path} is ${key === null ? "" : "not "}encrypted, unlike its archive.`);
  if (isGrowing) return { bytes: key === null ? stored : atOffset(key, name, stored, 0), hasSum: false };
  if (key !== null)
    return {
      bytes: await frameOf(path, await buffer(opening(key, path, Readable.from([stored])))),
      hasSum: true,
    };
  const sum = stored.subarray(-SUM_BYTES);
  const hasSum = sum.subarray(0, SUM_HEADER.length).equals(SUM_HEADER);
  const frame = hasSum ? stored.subarray(0, -SUM_BYTES) : stored;
  if (hasSum && !sha256(frame).equals(sum.subarray(SUM_HEADER.length)))
    throw new Damaged(`${path} is not as it was written.`);
  return { bytes: await frameOf(path, frame), hasSum };
}

async function frameOf(path: string, frame: Buffer): Promise<Buffer> {
  return await promisify(zstdDecompress)(frame).catch((cause: unknown) => {
    throw new Damaged(`${path} is cut off or not as it was written.`, { cause });
  });
}

/** Removes the complete segments before one that is still needed, as far as each file may go; returns how many. */
export async function removeSegmentsBefore(
  folder: string,
  needed: string,
  mayGo: (file: string) => boolean = () => true,
): Promise<number> {
  const old = (await segmentFiles(folder)).filter(
    ({ name, file, isGrowing }) => !isGrowing && name < needed && mayGo(file),
  );
  for (const { file } of old) await rm(join(folder, file), { force: true });
  return old.length;
}
