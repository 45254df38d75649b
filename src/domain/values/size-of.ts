/** The approximate size of a JSON value in bytes; stops counting above `most` and does not recurse. */
export function sizeOf(value: unknown, most: number): number {
  const waiting: unknown[] = [value];
  let size = 0;
  while (waiting.length > 0 && size <= most) {
    const item = waiting.pop();
    if (typeof item === "string") size += Buffer.byteLength(item) + 2;
    else if (typeof item !== "object" || item === null) size += 4;
    else {
      for (const [key, inside] of Object.entries(item)) {
        size += Array.isArray(item) ? 1 : Buffer.byteLength(key) + 4;
        waiting.push(inside);
        if (size > most) break;
      }
    }
  }
  return size;
}
