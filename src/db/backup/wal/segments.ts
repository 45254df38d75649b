import { constants, type FileHandle, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants as zlib, zstdCompress, zstdDecompress } from "node:zlib";
import { syncFolder } from "../../embedded/host/sync-folder.ts";
import { isSegment, segmentEnd, segmentName, segmentStart } from "./lsn.ts";

const PACKED = ".zst";
/** A segment that is not complete, as the server writes it: without the bytes that are still to come. */
const PARTIAL = ".partial";

/** The timeline of the server and the size of its segments. */
export interface WalShape {
  timeline: number;
  segmentBytes: number;
}

/** A folder of segments of the write-ahead log: complete ones compressed, the last one as it grows. */
export class SegmentFolder {
  readonly folder: string;
  readonly #shape: WalShape;
  #file: { name: string; handle: FileHandle } | undefined;
  #isDirty = false;

  constructor(folder: string, shape: WalShape) {
    this.folder = folder;
    this.#shape = shape;
  }

  /** Creates the folder; returns where the log goes on behind the last complete segment, if there is one. */
  async open(): Promise<bigint | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const prefix = segmentName(this.#shape.timeline, 0n, this.#shape.segmentBytes).slice(0, 8);
    const last = (await completeSegments(this.folder)).filter((name) => name.startsWith(prefix)).at(-1);
    return last === undefined ? undefined : segmentEnd(last, this.#shape.segmentBytes);
  }

  /** Writes bytes of the log that begin at a position; they may go on in further segments. */
  async write(from: bigint, bytes: Buffer): Promise<void> {
    const { timeline, segmentBytes } = this.#shape;
    for (let at = from, rest = bytes; rest.length > 0; ) {
      const offset = Number(at - segmentStart(at, segmentBytes));
      const part = rest.subarray(0, segmentBytes - offset);
      const file = await this.#open(segmentName(timeline, at, segmentBytes));
      await file.write(part, 0, part.length, offset);
      this.#isDirty = true;
      if (offset + part.length === segmentBytes) await this.#complete();
      at += BigInt(part.length);
      rest = rest.subarray(part.length);
    }
  }

  /** Makes all that was written survive a power failure. */
  async sync(): Promise<void> {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    await this.#file?.handle.datasync();
  }

  async close(): Promise<void> {
    await this.sync();
    await this.#file?.handle.close();
    this.#file = undefined;
  }

  async #open(name: string): Promise<FileHandle> {
    if (this.#file?.name === name) return this.#file.handle;
    await this.close();
    // What an earlier run wrote of this segment is kept and written again with the same bytes.
    const path = join(this.folder, name + PARTIAL);
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#file = { name, handle };
    await syncFolder(this.folder);
    return handle;
  }

  async #complete(): Promise<void> {
    const name = this.#file?.name ?? "";
    await this.close();
    const path = join(this.folder, name);
    const packed = await promisify(zstdCompress)(await readFile(path + PARTIAL), {
      params: { [zlib.ZSTD_c_compressionLevel]: 1 },
    });
    const fresh = await open(`${path}${PACKED}.new`, "w", 0o600);
    try {
      await fresh.writeFile(packed);
      await fresh.sync();
    } finally {
      await fresh.close();
    }
    await rename(`${path}${PACKED}.new`, path + PACKED);
    await syncFolder(this.folder);
    await rm(path + PARTIAL);
  }
}

/** The names of the complete segments in a folder, in order; none if there is no folder. */
async function completeSegments(folder: string): Promise<string[]> {
  return (await namesIn(folder))
    .filter((name) => name.endsWith(PACKED))
    .map((name) => name.slice(0, -PACKED.length))
    .filter(isSegment)
    .sort();
}

/** The names of all segments in a folder, in order, also of one that is not complete. */
export async function allSegments(folder: string): Promise<string[]> {
  const partial = (await namesIn(folder))
    .filter((name) => name.endsWith(PARTIAL))
    .map((name) => name.slice(0, -PARTIAL.length))
    .filter(isSegment);
  return [...new Set([...(await completeSegments(folder)), ...partial])].sort();
}

/** The path of the file of a segment that is not complete. */
const partialPath = (folder: string, name: string): string => join(folder, name + PARTIAL);

/** The path of the file of a complete segment. */
const packedPath = (folder: string, name: string): string => join(folder, name + PACKED);

/** The bytes of a segment as PostgreSQL wants them; zeros behind the end of one that is not complete. */
export async function readSegment(folder: string, name: string, segmentBytes: number): Promise<Buffer> {
  const packed = await readFile(packedPath(folder, name)).catch(() => undefined);
  const bytes =
    packed === undefined
      ? await readFile(partialPath(folder, name))
      : await promisify(zstdDecompress)(packed);
  if (bytes.length === segmentBytes) return bytes;
  return Buffer.concat([bytes], segmentBytes);
}

/** Removes the segments before one that is still needed; returns how many. */
export async function removeSegmentsBefore(folder: string, needed: string): Promise<number> {
  const old = (await completeSegments(folder)).filter((name) => name < needed);
  for (const name of old) await rm(packedPath(folder, name), { force: true });
  return old.length;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
