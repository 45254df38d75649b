import { setTimeout as sleep } from "node:timers/promises";
import { ArchiveEnds, type EndMark } from "./archive.ts";
import { openClient } from "./client.ts";
import { lsnOf, lsnText, segmentStart } from "./lsn.ts";
import { openReplication, type Replication, type Wire } from "./replication.ts";
import { SegmentFolder } from "./segments.ts";
import type { ServerOrigin } from "./walk.ts";

/** A running copy of the write-ahead log into a folder. */
export interface WalReceiver {
  /** Everything before this position is in the folder and on the disk. */
  flushed(): bigint;
  /** The server's time at which the folder last had all that the server had; undefined until then. */
  caughtUpAt(): Date | undefined;
  /** Resolves when the folder has everything before a position; rejects if the copy ends before. */
  reached(lsn: bigint): Promise<void>;
  /** Resolves after `stop`; rejects if the copy ended for another reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** The slot from which the log is read: it makes the server keep what was not copied yet. */
export interface Slot {
  name: string;
  /** Ends with the connection. Other slots are created if they are missing, and stay. */
  isTemporary: boolean;
}

/** How often what came is written, and how often it is made to survive a power failure and the server told. */
const WRITE_MS = 50;
const SYNC_MS = 500;
/** Bytes that may wait for the disk before the connection is paused. */
const MOST_WAITING = 8 * 1_048_576;
/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** Where the log is copied to. */
export interface Destination {
  folder: string;
  /** Encrypts the segments. */
  key: Buffer | null;
  /** Where the folder says until when it has everything; undefined for a copy that ends with its backup. */
  mark?: EndMark;
}

/**
 * Starts to copy the write-ahead log into a folder, from where the folder ends or else where the slot begins. `open` prepares the folder for
 * the log of a server. Throws `ArchiveEnds` if the folder cannot go on with it.
 */
export async function receiveWal(
  url: string,
  slot: Slot,
  open: (origin: ServerOrigin) => Promise<Destination>,
): Promise<WalReceiver> {
  const connection = await openReplication(url);
  try {
    const { end, ...origin } = await originOf(connection);
    const { folder, key, mark } = await open(origin);
    const segments = new SegmentFolder(folder, origin, key);
    const reserved = await reserve(connection, slot);
    const known = await segments.open();
    if (known !== undefined && known > end)
      throw new ArchiveEnds(`${folder} goes further than this database: it belongs to another one`);
    const from = known ?? segmentStart(reserved, origin.segmentBytes);
    const archive = mark === undefined ? undefined : await archived(url, mark);
    return run(connection, { segments, archive }, { slot, from, timeline: origin.timeline });
  } catch (error) {
    await connection.end().catch(() => undefined);
    throw error;
  }
}

async function originOf(connection: Replication): Promise<ServerOrigin & { end: bigint }> {
  const [system] = await connection.command("IDENTIFY_SYSTEM");
  const [size] = await connection.command("SHOW wal_segment_size");
  return {
    system: system?.[0] ?? "",
    timeline: Number(system?.[1]),
    end: lsnOf(system?.[2] ?? ""),
    segmentBytes: bytesOf(size?.[0] ?? ""),
  };
}

/** Reads `16MB` or `1GB`. */
export function bytesOf(setting: string): number {
  const [, number = "16", unit = "MB"] = /^(\d+)\s*(kB|MB|GB)$/.exec(setting) ?? [];
  return Number(number) * { kB: 1024, MB: 1_048_576, GB: 1_073_741_824 }[unit as "kB" | "MB" | "GB"];
}

/** Makes sure that the slot is there; returns from which position on the server keeps the log for it. */
async function reserve(connection: Replication, { name, isTemporary }: Slot): Promise<bigint> {
  const read = async () => (await connection.command(`READ_REPLICATION_SLOT "${name}"`))[0];
  let known = await read();
  if (known?.[0] == null) {
    const kind = isTemporary ? "TEMPORARY PHYSICAL" : "PHYSICAL";
    await connection.command(`CREATE_REPLICATION_SLOT "${name}" ${kind} (RESERVE_WAL)`);
    known = await read();
  }
  if (known?.[1] == null) throw new ArchiveEnds(`the server no longer keeps the log of the slot ${name}`);
  return lsnOf(known[1]);
}

/** Removes a slot that nobody reads, so that the server keeps no log for it. */
export async function dropSlot(url: string, name: string): Promise<void> {
  const client = await openClient(url);
  try {
    await client.query(
      "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active",
      [name],
    );
  } finally {
    await client.end();
  }
}

interface Start {
  slot: Slot;
  from: bigint;
  timeline: number;
}

/** What a copy has that is an archive. */
interface Archived {
  mark: EndMark;
  /**
   * A time of the server, and a position in the log before which is everything that was committed then. What the server sends with the log does
   * not say that: its position is that of what was sent, which may be late.
   */
  serverEnd(): Promise<{ at: Date; lsn: bigint }>;
  close(): Promise<void>;
}

async function archived(url: string, mark: EndMark): Promise<Archived> {
  const client = await openClient(url);
  return {
    mark,
    async serverEnd() {
      const { rows } = await client.query<{ at: Date; lsn: string }>(
        "SELECT clock_timestamp() AS at, pg_current_wal_flush_lsn() AS lsn",
      );
      return { at: rows[0]?.at ?? new Date(0), lsn: lsnOf(rows[0]?.lsn ?? "") };
    },
    async close() {
      await Promise.all([mark.close(), client.end()]);
    },
  };
}

interface Kept {
  segments: SegmentFolder;
  archive: Archived | undefined;
}

function run(
  connection: Replication,
  { segments, archive }: Kept,
  { slot, from, timeline }: Start,
): WalReceiver {
  const waiting: { from: bigint; bytes: Buffer }[] = [];
  const waiters: { lsn: bigint; done: PromiseWithResolvers<void> }[] = [];
  let [waitingBytes, written, flushed] = [0, from, from];
  let caughtUpAt: Date | undefined;
  let wire: Wire | undefined;
  let isStopping = false;

  const take = (chunk: Buffer, source: Wire) => {
    if (chunk[0] === KEEPALIVE) {
      if (chunk[17] === 1) tell();
      return;
    }
    // The parser uses its buffer again, so the bytes are copied.
    const bytes = Buffer.from(chunk.subarray(25));
    waiting.push({ from: chunk.readBigUInt64BE(1), bytes });
    waitingBytes += bytes.length;
    if (waitingBytes > MOST_WAITING) source.stream.pause();
  };

  const tell = () => wire?.sendCopyFromChunk(status(written, flushed));

  async function write(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await segments.write(next.from, next.bytes);
      written = next.from + BigInt(next.bytes.length);
      waitingBytes -= next.bytes.length;
      if (waitingBytes <= MOST_WAITING) wire?.stream.resume();
    }
  }

  /** Writes what came and makes it survive a power failure. */
  async function sync(): Promise<void> {
    const server = await archive?.serverEnd();
    await write();
    const end = written;
    const sha256 = await segments.sync();
    flushed = end;
    if (archive === undefined || server === undefined) return;
    if (flushed >= server.lsn) caughtUpAt = server.at;
    if (caughtUpAt !== undefined)
      await archive.mark.write({ position: flushed, time: caughtUpAt, sha256: sha256 ?? null });
  }

  async function keepWriting(): Promise<void> {
    for (let synced = 0; !isStopping; await sleep(WRITE_MS)) {
      await write();
      if (performance.now() - synced < SYNC_MS) continue;
      synced = performance.now();
      await sync();
      tell();
      for (const waiter of [...waiters]) {
        if (waiter.lsn > flushed) continue;
        waiters.splice(waiters.indexOf(waiter), 1);
        waiter.done.resolve();
      }
    }
    await sync();
  }

  const streamed = connection
    .command(`START_REPLICATION SLOT "${slot.name}" PHYSICAL ${lsnText(from)} TIMELINE ${timeline}`, {
      start: (started) => {
        wire = started;
      },
      take,
    })
    .then(
      () => {
        if (!isStopping) throw new Error("the server ended the copy of its log");
      },
      (error: Error & { code?: string }) => {
        if (isStopping) return;
        // undefined_file: the segment was removed
        throw error.code === "58P01" ? new ArchiveEnds(error.message) : error;
      },
    );
  const writing = keepWriting();
  const ended = Promise.race([streamed, writing]).finally(async () => {
    isStopping = true;
    await writing.catch(() => undefined);
    for (const { done } of waiters) done.reject(new Error("the copy of the log ended"));
    await segments.close().catch(() => undefined);
    await archive?.close().catch(() => undefined);
    await connection.end().catch(() => undefined);
  });
  ended.catch(() => undefined);
  return {
    flushed: () => flushed,
    caughtUpAt: () => caughtUpAt,
    reached(lsn) {
      if (flushed >= lsn) return Promise.resolve();
      const done = Promise.withResolvers<void>();
      waiters.push({ lsn, done });
      return done.promise;
    },
    ended,
    async stop() {
      isStopping = true;
      await ended.catch(() => undefined);
    },
  };
}

const KEEPALIVE = "k".charCodeAt(0);

/** A status message of a standby: what is written, on the disk and applied (nothing), the time, and please answer. */
function status(written: bigint, flushed: bigint): Buffer {
  const message = Buffer.alloc(34);
  message.write("r", 0, "latin1");
  message.writeBigUInt64BE(written, 1);
  message.writeBigUInt64BE(flushed, 9);
  message.writeBigUInt64BE(0n, 17);
  message.writeBigInt64BE(BigInt(Date.now() - EPOCH_MS) * 1_000n, 25);
  message.writeUInt8(1, 33);
  return message;
}
