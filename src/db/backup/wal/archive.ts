import { createHash } from "node:crypto";
import { constants, type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readChecked, writeChecked } from "../files/checked-file.ts";
import { Damaged } from "../files/damaged.ts";
import { openWith, type Sealed, sealWith, WrongPassphrase } from "../files/passphrase.ts";
import { freshKey } from "../files/sealed-stream.ts";
import { lsnOf, lsnText } from "./lsn.ts";
import { segmentFiles } from "./segments.ts";
import type { ServerOrigin } from "./walk.ts";

/** The description of an archive, in its file `archive.json`. Archives of releases before 0.3 have none. */
export interface ArchiveDescription {
  format: 2;
  /** The server whose log it is. */
  system: string;
  timeline: number;
  segmentBytes: number;
  created: string;
  /** The key of its files, sealed by the passphrase; null if they are not encrypted. */
  key: Sealed | null;
}

const FILE = "archive.json";
const MARK = "end";
const MARK_BYTES = 512;

/** Thrown if an archive cannot go on: it needs to be followed by a new one, with a new backup. */
export class ArchiveEnds extends Error {}

/** Reads the description of an archive; undefined if it is of an older release, or if there is no archive. */
export const readArchive = (folder: string): Promise<ArchiveDescription | undefined> =>
  readChecked<ArchiveDescription>(join(folder, FILE));

/**
 * Opens the archive of a server's log, or creates it; returns the key of its files. Throws `ArchiveEnds` if it is of another server, or
 * if it is not encrypted with this passphrase.
 */
export async function openArchive(
  folder: string,
  { system, timeline, segmentBytes }: ServerOrigin,
  passphrase: string | undefined,
): Promise<Buffer | null> {
  const known = await readArchive(folder);
  if (known === undefined) {
    if ((await segmentFiles(folder)).length > 0)
      throw new ArchiveEnds(`${folder} is an archive of an older release`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const key = passphrase === undefined ? null : freshKey();
    const sealed = await sealedKey(key, passphrase);
    const created = new Date().toISOString();
    const description: ArchiveDescription = {
      ...{ format: 2, system, timeline, segmentBytes, created },
      key: sealed,
    };
    await writeChecked(join(folder, FILE), description);
    return key;
  }
  if (known.system !== system || known.timeline !== timeline || known.segmentBytes !== segmentBytes)
    throw new ArchiveEnds(`${folder} has the log of another database`);
  if ((known.key === null) !== (passphrase === undefined))
    throw new ArchiveEnds(
      known.key === null
        ? `${folder} is not encrypted, and BACKUP_PASSPHRASE is set now`
        : `${folder} is encrypted, and BACKUP_PASSPHRASE is not set any more`,
    );
  return await openedKey(known.key, passphrase).catch((cause: unknown) => {
    throw new ArchiveEnds(`BACKUP_PASSPHRASE does not open ${folder} any more`, { cause });
  });
}

/** Seals the key of files with a passphrase; null if there is no key. */
export const sealedKey = async (
  key: Buffer | null,
  passphrase: string | undefined,
): Promise<Sealed | null> => (key === null ? null : await sealWith(passphrase ?? "", key.toString("base64")));

/** Opens the key of files; null if they are not encrypted. Throws `WrongPassphrase`. */
export async function openedKey(
  sealed: Sealed | null | undefined,
  passphrase: string | undefined,
): Promise<Buffer | null> {
  if (sealed === null || sealed === undefined) return null;
  if (passphrase === undefined)
    throw new WrongPassphrase(
      "The backup is encrypted. Set BACKUP_PASSPHRASE or --passphrase-file to its passphrase.",
    );
  return Buffer.from(await openWith(passphrase, sealed), "base64");
}

/** Where an archive ends: everything that the server had at a time is before a position. */
export interface ArchiveEnd {
  position: bigint;
  /** Null if nothing says up to which time: of the archive in a store, only the finished segments were fetched. */
  time: Date | null;
  /** The SHA-256 of what the last segment has before the position; null if the position is at its beginning. */
  sha256: string | null;
}

/**
 * The file in which an archive says where it ends. It is overwritten in place by one write of a fixed length, so that two writes a second cost the
 * disk nearly nothing, and its beginning proves nothing without its end.
 */
export class EndMark {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(folder: string): Promise<EndMark> {
    return new EndMark(await open(join(folder, MARK), constants.O_RDWR | constants.O_CREAT, 0o600));
  }

  async write(end: ArchiveEnd): Promise<void> {
    const bytes = Buffer.from(markText(end));
    await this.#handle.write(bytes, 0, bytes.length, 0);
  }

  async close(): Promise<void> {
    await this.#handle.datasync();
    await this.#handle.close();
  }
}

function markText({ position, time, sha256 }: ArchiveEnd): string {
  const text = JSON.stringify({ position: lsnText(position), time: time?.toISOString() ?? null, sha256 });
  const sum = createHash("sha256").update(text).digest("hex");
  return `${`${text} ${sum}`.padEnd(MARK_BYTES - 1)}\n`;
}

/** Reads where an archive ends. Throws `Damaged` if its mark is missing or is not as it was written. */
export async function readEnd(folder: string): Promise<ArchiveEnd> {
  const path = join(folder, MARK);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) throw new Damaged(`${path} is missing.`);
  try {
    const { position, time, sha256 } = JSON.parse(text.slice(0, text.indexOf("} ") + 1));
    const end: ArchiveEnd = {
      position: lsnOf(position),
      time: time === null ? null : new Date(time),
      sha256,
    };
    if (markText(end) === text) return end;
  } catch {
    // As below.
  }
  throw new Damaged(`${path} is cut off or not as it was written.`);
}
