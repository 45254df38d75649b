import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { archiveFolder, type Backup, type LogPlace } from "./backup.ts";
import { Damaged } from "./files/damaged.ts";
import { LOG } from "./take-files.ts";
import { type ArchiveEnd, openedKey, readArchive, readEnd } from "./wal/archive.ts";
import { lsnOf, lsnText, segmentEnd, segmentName, segmentStart } from "./wal/lsn.ts";
import { readStored, type SegmentFile, segmentFiles } from "./wal/segments.ts";
import { LogWalk, type Whole } from "./wal/walk.ts";

/** The folder of segments, and how they are stored there. */
interface LogSource {
  folder: string;
  key: Buffer | null;
}

/** The log of a backup and of the archive behind it. */
export interface LogSources {
  /** The part that the backup has itself. */
  own: LogSource;
  /** Undefined if the backup has no archive. */
  archive: (LogSource & { end: ArchiveEnd | undefined; system: string | undefined }) | undefined;
  /** What is wrong with the archive as a whole. */
  damage: Damaged | undefined;
  /** Checks that this archive cannot have, because an older release made it. */
  unchecked: string[];
}

/** What reading a log found. */
export interface ReadLog {
  whole: Whole;
  /** Whether the log has a transaction that ended after the time at which the walk was to stop. */
  isPassed: boolean;
  /** The restore points. */
  points: ReadonlyMap<string, bigint>;
  /** Why the log is not whole up to its end; undefined if it is. */
  damage: Damaged | undefined;
  /** Everything that was committed at this time is in the log; undefined if the archive does not say, or has less than it says. */
  until: Date | undefined;
  segments: number;
}

/** Finds the log of a backup, and opens the key of its archive. A damaged archive is reported in the result. */
export async function findLog(
  { folder, backup, key }: { folder: string; backup: Backup; key: Buffer | null },
  passphrase: string | undefined,
): Promise<LogSources> {
  const own = { folder: join(folder, LOG), key };
  const line = backup.log?.line;
  const found: LogSources = { own, archive: undefined, damage: undefined, unchecked: [] };
  if (!line) return found;
  const path = archiveFolder(join(folder, ".."), line);
  try {
    const description = await readArchive(path);
    if (description === undefined && backup.format > 1)
      throw new Damaged(`${join(path, "archive.json")} is missing.`);
    if (description === undefined && (await segmentFiles(path)).length === 0)
      throw new Damaged(`the archive of its log, ${path}, is missing.`);
    const archiveKey = await openedKey(description?.key, passphrase);
    if (description === undefined)
      found.unchecked.push(
        "the checksums of the archive's files, and the position and time at which the archive ends",
      );
    found.archive = { folder: path, key: archiveKey, end: undefined, system: description?.system };
    if (description !== undefined) found.archive.end = await readEnd(path);
    if (found.archive.end?.time === null)
      found.unchecked.push(
        "what the service wrote behind the last segment that the store has: it is in none of its files",
      );
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    found.damage = error;
  }
  return found;
}

interface ReadOptions {
  /** Stops before the first transaction that ended after this time. */
  until?: Date | undefined;
  /** Writes the segments there as PostgreSQL wants them, as far as the log is whole. */
  target?: string;
}

/**
 * Reads the log of a backup from where the backup begins, and behind it that of the archive, record by record. It ends at the first byte that
 * does not follow from what was before, or at the end of the archive; neither is believed to be further than the log itself is whole.
 */
export async function readLog(
  place: LogPlace,
  sources: LogSources,
  options: ReadOptions = {},
): Promise<ReadLog> {
  const { timeline, segmentBytes } = place;
  const walk = new LogWalk(
    { system: sources.archive?.system, timeline, segmentBytes },
    { from: lsnOf(place.start), ...(options.until === undefined ? {} : { until: options.until }) },
  );
  let [damage, segments] = [sources.damage, 0];
  const end = sources.archive?.end;
  // Of a store that has no segment behind the backup yet.
  let hasEnd = end?.time === null && end.position <= lsnOf(place.end);
  try {
    for await (const { path, name, bytes, isGrowing } of segmentsOf(place, sources)) {
      segments += 1;
      if (end !== undefined) hasEnd = checkEnd(end, { path, name, bytes, segmentBytes }) || hasEnd;
      let goesOn = false;
      try {
        goesOn = walk.read(path, name, bytes, isGrowing);
      } finally {
        // A record may go on in the next segment, and recovery needs to see the transaction before which it stops.
        const end = goesOn || walk.passed !== undefined ? undefined : walk.whole?.end;
        if (options.target !== undefined) await put(options.target, { name, bytes, segmentBytes }, end);
      }
      if (!goesOn) break;
    }
    if (walk.passed === undefined && end !== undefined && !hasEnd)
      throw new Damaged(
        `the log in ${sources.archive?.folder} ends at ${lsnText(walk.whole?.end ?? 0n)}, and the archive had everything up to ${lsnText(end.position)}. The end of it is missing, or it was copied while it grew.`,
      );
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    damage ??= error;
  }
  const { whole } = walk;
  if (whole === undefined || whole.end < lsnOf(place.end))
    throw (
      damage ?? new Damaged(`its log ends at ${lsnText(whole?.end ?? 0n)}, before the backup itself does.`)
    );
  const isPassed = walk.passed !== undefined;
  const until = damage === undefined && hasEnd ? (end?.time ?? undefined) : undefined;
  return { whole, isPassed, points: walk.points, damage, until, segments };
}

interface StoredSegment {
  path: string;
  name: string;
  bytes: Buffer;
  isGrowing: boolean;
}

/**
 * The segments of a log one after the other, up to the last one that is there at the beginning: a service may add others meanwhile.
 * Throws `Damaged` where one is missing that is followed by others.
 */
async function* segmentsOf(
  { start, timeline, segmentBytes }: LogPlace,
  sources: LogSources,
): AsyncGenerator<StoredSegment> {
  const { own, archive, damage } = sources;
  let files = await filesOf(sources);
  const names = [...files.keys()].sort();
  const last = names.at(-1) ?? "";
  const read = async (name: string): Promise<StoredSegment> => {
    const found = files.get(name);
    const next = names.find((each) => each > name) ?? last;
    // In a store, a segment may not have arrived that the backup has itself.
    const isArchived = !archive?.end?.time || damage !== undefined || found?.folder === archive.folder;
    if (found === undefined || !isArchived)
      throw new Damaged(
        `the segment ${name} of the log is missing in ${(archive ?? own).folder}; the log goes on with ${next}.`,
      );
    const { isGrowing } = found;
    const path = join(found.folder, found.file);
    try {
      const { bytes } = await readStored(path, { ...found, name });
      if (isGrowing && name < last)
        throw new Damaged(`${path} is not complete, and the log goes on with ${next}.`);
      return { path, name, bytes, isGrowing };
    } catch (error) {
      if (!isGrowing) throw error;
      // A service that runs may have completed it a moment ago: then another file has all of it.
      files = await filesOf(sources);
      if (files.get(name)?.isGrowing !== false) throw error;
      return await read(name);
    }
  };
  for (let at = segmentStart(lsnOf(start), segmentBytes); ; at += BigInt(segmentBytes)) {
    const name = segmentName(timeline, at, segmentBytes);
    if (name > last) return;
    yield await read(name);
  }
}

/** The files of a log by the names of their segments. */
async function filesOf({ own, archive }: LogSources): Promise<Map<string, SegmentFile & LogSource>> {
  const files = new Map<string, SegmentFile & LogSource>();
  // The archive has all of a segment of which the backup may have the beginning.
  for (const source of archive === undefined ? [own] : [own, archive])
    for (const file of await segmentFiles(source.folder)) files.set(file.name, { ...file, ...source });
  return files;
}

interface SegmentBytes {
  name: string;
  bytes: Buffer;
  segmentBytes: number;
}

/** Whether the end of the archive is in this segment; throws `Damaged` if the segment is not what it was then. */
function checkEnd(
  { position, sha256 }: ArchiveEnd,
  { path, name, bytes, segmentBytes }: SegmentBytes & { path: string },
): boolean {
  const behind = segmentEnd(name, segmentBytes);
  const length = Number(position - (behind - BigInt(segmentBytes)));
  if (sha256 === null) return length === segmentBytes;
  if (length <= 0 || length > segmentBytes || bytes.length < length) return false;
  if (createHash("sha256").update(bytes.subarray(0, length)).digest("hex") === sha256) return true;
  throw new Damaged(`${path} is not as it was written.`);
}

/** Writes a segment, with zeros behind the last whole record if that is the end of the log. */
async function put(
  target: string,
  { name, bytes, segmentBytes }: SegmentBytes,
  end: bigint | undefined,
): Promise<void> {
  const start = segmentEnd(name, segmentBytes) - BigInt(segmentBytes);
  const length = end === undefined ? bytes.length : Math.max(0, Number(end - start));
  if (length === 0) return;
  const whole = Buffer.concat([bytes.subarray(0, length)], segmentBytes);
  await writeFile(join(target, name), whole, { mode: 0o600 });
}
