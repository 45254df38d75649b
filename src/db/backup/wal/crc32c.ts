/** Eight tables of CRC-32C (Castagnoli, RFC 3720 appendix B.4): table n has the sums of a byte with n zero bytes behind it. */
const TABLES = [sumsOfBytes()];
for (let n = 1; n < 8; n += 1)
  TABLES.push(
    (TABLES[n - 1] as Uint32Array).map(
      (sum) => (sum >>> 8) ^ ((TABLES[0] as Uint32Array)[sum & 0xff] as number),
    ),
  );

const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES as [
  ...[Uint32Array, Uint32Array, Uint32Array, Uint32Array],
  ...[Uint32Array, Uint32Array, Uint32Array, Uint32Array],
];

function sumsOfBytes(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0x82f6_3b78 : sum >>> 1;
    return sum;
  });
}

/** Continues a CRC-32C over bytes from `start` to before `end`. It starts with 0; the result is the checksum so far. */
export function crc32c(sum: number, bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = ~sum;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const low =
      crc ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24));
    crc =
      (T7[low & 0xff] as number) ^
      (T6[(low >>> 8) & 0xff] as number) ^
      (T5[(low >>> 16) & 0xff] as number) ^
      (T4[low >>> 24] as number) ^
      (T3[bytes[at + 4] as number] as number) ^
      (T2[bytes[at + 5] as number] as number) ^
      (T1[bytes[at + 6] as number] as number) ^
      (T0[bytes[at + 7] as number] as number);
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ (T0[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
