import { Damaged } from "../files/damaged.ts";
import { crc32c } from "./crc32c.ts";
import { lsnText, segmentEnd } from "./lsn.ts";

/*
 * The format of the write-ahead log: src/include/access/xlog_internal.h, xlogrecord.h and xact.h of PostgreSQL 15 to 18. A segment has
 * pages with a header each; records follow one another over pages and segments, and each names the position of the one before.
 */
const PAGE = 8_192;
const [SHORT_HEADER, LONG_HEADER, RECORD_HEADER] = [24, 40, 24];
/** Flags of a page: it goes on with a record, it has a long header, the record before it was never finished (after a crash). */
const [GOES_ON, IS_LONG, GIVES_UP] = [0x1, 0x2, 0x8];
/** XLogRecordMaxSize */
const LONGEST_RECORD = 1_020 * 1_048_576;
/** Resource managers, and kinds of their records. */
const [XLOG, XACT] = [0, 1];
const [SWITCH, RESTORE_POINT] = [0x40, 0x70];
/** Commit, abort, and both of a prepared transaction. */
const ENDS = new Set([0x00, 0x20, 0x30, 0x40]);
/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_US = Date.UTC(2000, 0, 1) * 1_000;
/** What is kept of the beginning of a record: enough for the time of a transaction and the name of a restore point. */
const HEAD = 128;

/** The server whose log is read. */
export interface LogOrigin {
  /** Its system identifier; undefined to take that of the first segment. */
  system: string | undefined;
  timeline: number;
  segmentBytes: number;
}

/** The server whose log is written. */
export interface ServerOrigin extends LogOrigin {
  system: string;
}

/** How far a log is whole. */
export interface Whole {
  /** The position behind the last whole record, and that of the record itself. */
  end: bigint;
  lastRecord: bigint;
  /** When the last transaction ended, in microseconds since 1970; undefined if none did. */
  lastTime: number | undefined;
}

/** A record of which the beginning was read. */
class GrowingRecord {
  readonly start: bigint;
  readonly total: number;
  readonly head = Buffer.alloc(HEAD);
  got = 0;
  #sum = 0;

  constructor(start: bigint, total: number) {
    this.start = start;
    this.total = total;
  }

  add(bytes: Buffer, from: number, to: number): void {
    if (this.got < HEAD) bytes.copy(this.head, this.got, from, to);
    const body = Math.max(from, from + RECORD_HEADER - this.got);
    if (body < to) this.#sum = crc32c(this.#sum, bytes, body, to);
    this.got += to - from;
  }

  /** Whether the checksum of the record is right; it includes the header without the checksum itself. */
  isRight(): boolean {
    return crc32c(this.#sum, this.head, 0, 20) === this.head.readUInt32LE(20);
  }
}

/**
 * Reads a log record by record, one segment after the other, and throws `Damaged` at the first byte that does not follow from what
 * was before: another server or timeline, a page of another place, a record with a wrong checksum or another record before it.
 */
export class LogWalk {
  /** Restore points and the positions behind them. */
  readonly points = new Map<string, bigint>();
  /** Where the first transaction after `until` ended; undefined as long as there was none. */
  passed: bigint | undefined;
  readonly #origin: LogOrigin;
  readonly #until: number;
  #system: string | undefined;
  #magic: number | undefined;
  /** Where the next record begins; undefined before the first page of a walk that does not know it. */
  #at: bigint | undefined;
  #record: GrowingRecord | undefined;
  /** Bytes of a record whose beginning is in a segment before the first. */
  #skipped = 0;
  #whole: Whole | undefined;

  /** `from` is where a record begins; without it, the walk starts with the first one of the first segment. `until` stops the walk. */
  constructor(origin: LogOrigin, { from, until }: { from?: bigint; until?: Date } = {}) {
    this.#origin = origin;
    this.#system = origin.system;
    this.#at = from;
    this.#until = (until?.getTime() ?? Number.POSITIVE_INFINITY) * 1_000;
  }

  /** How far the log is whole; undefined before the first whole record. */
  get whole(): Whole | undefined {
    return this.#whole;
  }

  /**
   * Reads a segment, which must be the one behind the last. `isGrowing`: the file may end before the segment does. Returns whether the
   * log goes on in the next segment.
   */
  read(path: string, name: string, bytes: Buffer, isGrowing: boolean): boolean {
    const { segmentBytes } = this.#origin;
    const start = segmentEnd(name, segmentBytes) - BigInt(segmentBytes);
    const wrong = (what: string, offset: number) =>
      new Damaged(`${path}: ${what} at ${lsnText(start + BigInt(offset))}.`);
    if (!isGrowing && bytes.length !== segmentBytes)
      throw new Damaged(`${path} has ${bytes.length} bytes instead of ${segmentBytes}.`);
    const mayEnd = (offset: number) => isGrowing && isZero(bytes, offset);
    let offset = this.#record === undefined && this.#at !== undefined ? Number(this.#at - start) : 0;
    if (offset > 0) {
      const page = offset - (offset % PAGE);
      // A position at the beginning of a page is behind the page's header.
      if (offset !== page) this.#header(bytes, page, start, wrong);
    }
    while (offset < segmentBytes) {
      if (offset % PAGE === 0) {
        if (bytes.length - offset < LONG_HEADER || mayEnd(offset))
          return this.#ended(isGrowing, wrong, offset);
        const { flags, rest, size } = this.#header(bytes, offset, start, wrong);
        const page = start + BigInt(offset);
        this.#turnPage({ page, flags, rest }, () =>
          wrong("the log does not go on from the part before", offset),
        );
        offset += size;
      }
      const pageEnd = Math.min(offset - (offset % PAGE) + PAGE, bytes.length);
      if (this.#skipped > 0) {
        const part = Math.min(this.#skipped, pageEnd - offset);
        this.#skipped -= part;
        offset = this.#skipped > 0 ? offset + part : aligned(offset + part);
        if (this.#skipped > 0 && pageEnd % PAGE !== 0) return this.#ended(isGrowing, wrong, offset);
        continue;
      }
      if (this.#record === undefined) {
        if (pageEnd - offset < 8 || mayEnd(offset)) return this.#ended(isGrowing, wrong, offset);
        const total = bytes.readUInt32LE(offset);
        if (total < RECORD_HEADER || total > LONGEST_RECORD) throw wrong("there is no record", offset);
        this.#record = new GrowingRecord(start + BigInt(offset), total);
      }
      const record = this.#record;
      const part = Math.min(record.total - record.got, pageEnd - offset);
      record.add(bytes, offset, offset + part);
      offset += part;
      if (record.got >= RECORD_HEADER) this.#checkBefore(record, (what) => wrong(what, offset - part));
      if (record.got < record.total) {
        if (pageEnd % PAGE !== 0) return this.#ended(isGrowing, wrong, offset);
        continue;
      }
      if (!record.isRight()) throw wrong("the checksum of a record is wrong", offset - part);
      this.#record = undefined;
      const isSwitch = record.head[17] === XLOG && ((record.head[16] as number) & 0xf0) === SWITCH;
      offset = isSwitch ? segmentBytes : aligned(offset);
      if (!this.#take(record, start + BigInt(offset))) return false;
    }
    this.#at = start + BigInt(segmentBytes);
    return true;
  }

  /** Checks the header of a page; returns its flags, how many bytes of a record go on in it, and its own size. */
  #header(bytes: Buffer, page: number, start: bigint, wrong: Wrong) {
    const [magic, flags] = [bytes.readUInt16LE(page), bytes.readUInt16LE(page + 2)];
    this.#magic ??= magic;
    const isLong = page === 0;
    if (
      magic !== this.#magic ||
      bytes.readUInt32LE(page + 4) !== this.#origin.timeline ||
      bytes.readBigUInt64LE(page + 8) !== start + BigInt(page) ||
      (flags & IS_LONG) !== (isLong ? IS_LONG : 0)
    )
      throw wrong("the log has a page of another place", page);
    if (isLong) {
      const system = bytes.readBigUInt64LE(SHORT_HEADER).toString();
      this.#system ??= system;
      if (system !== this.#system)
        throw wrong(`the log is of another database (${system} instead of ${this.#system})`, page);
    }
    const size = isLong ? LONG_HEADER : SHORT_HEADER;
    return { flags, rest: bytes.readUInt32LE(page + 16), size };
  }

  /** Checks that a page goes on with the record that the page before ended with. */
  #turnPage(
    { page, flags, rest }: { page: bigint; flags: number; rest: number },
    wrong: () => Damaged,
  ): void {
    const goesOn = (flags & GOES_ON) !== 0;
    if (this.#skipped > 0) {
      if (!goesOn || rest !== this.#skipped) throw wrong();
    } else if (this.#record === undefined) {
      if (goesOn && this.#at !== undefined) throw wrong();
      if (goesOn) this.#skipped = rest;
    } else if ((flags & GIVES_UP) !== 0) this.#record = undefined;
    else if (!goesOn || rest !== this.#record.total - this.#record.got) throw wrong();
    this.#at ??= page;
  }

  #checkBefore({ head }: GrowingRecord, wrong: (what: string) => Damaged): void {
    if (this.#whole === undefined) return;
    const before = head.readBigUInt64LE(8);
    if (before !== this.#whole.lastRecord)
      throw wrong(`a record follows ${lsnText(before)} instead of ${lsnText(this.#whole.lastRecord)}`);
  }

  /** Takes a whole record; returns false if the walk stops before it. */
  #take({ start, head }: GrowingRecord, end: bigint): boolean {
    const [info, manager] = [(head[16] as number) & 0x70, head[17]];
    let { lastTime } = this.#whole ?? {};
    if (manager === XACT && ENDS.has(info)) {
      const time = microseconds(head, dataOf(head));
      if (time !== undefined && time > this.#until) {
        this.passed = start;
        return false;
      }
      lastTime = time ?? lastTime;
    } else if (manager === XLOG && ((head[16] as number) & 0xf0) === RESTORE_POINT) {
      const name = head.subarray(dataOf(head) + 8);
      this.points.set(name.subarray(0, name.indexOf(0)).toString("utf8"), end);
    }
    this.#at = end;
    this.#whole = { end, lastRecord: start, lastTime };
    return true;
  }

  #ended(isGrowing: boolean, wrong: Wrong, offset: number): false {
    if (!isGrowing) throw wrong("the log ends", offset);
    return false;
  }
}

type Wrong = (what: string, offset: number) => Damaged;

/** Records begin at multiples of eight bytes. */
const aligned = (offset: number): number => (offset + 7) & ~7;

const isZero = (bytes: Buffer, from: number): boolean => {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] !== 0) return false;
  return true;
};

/** Where the data of a record without blocks begins. */
function dataOf(head: Buffer): number {
  for (let at = RECORD_HEADER; ; ) {
    // Short and long data, the origin of replication, and the transaction above.
    const id = head[at];
    if (id === 255) return at + 2;
    if (id === 254) return at + 5;
    if (id === 253) at += 3;
    else if (id === 252) at += 5;
    else return HEAD - 8;
  }
}

function microseconds(head: Buffer, at: number): number | undefined {
  const time = Number(head.readBigInt64LE(at));
  return time === 0 ? undefined : EPOCH_US + time;
}
