/** Reads a position in the write-ahead log, such as `0/3000028`. */
export function lsnOf(text: string): bigint {
  const [high = "", low = ""] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Writes a position in the write-ahead log as PostgreSQL does. */
export const lsnText = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();

/** The start of the segment that holds a position. */
export const segmentStart = (lsn: bigint, segmentBytes: number): bigint => lsn - (lsn % BigInt(segmentBytes));

/** The file name of the segment that holds a position: 24 hex digits for timeline, high and low number. */
export function segmentName(timeline: number, lsn: bigint, segmentBytes: number): string {
  const number = lsn / BigInt(segmentBytes);
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes);
  return [BigInt(timeline), number / perHigh, number % perHigh]
    .map((part) => part.toString(16).toUpperCase().padStart(8, "0"))
    .join("");
}

/** The position behind a segment. */
export function segmentEnd(name: string, segmentBytes: number): bigint {
  const [high, low] = [BigInt(`0x${name.slice(8, 16)}`), BigInt(`0x${name.slice(16, 24)}`)];
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes);
  return (high * perHigh + low + 1n) * BigInt(segmentBytes);
}

/** Whether a file name is that of a segment. */
export const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name);
