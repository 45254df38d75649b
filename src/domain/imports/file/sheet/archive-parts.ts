import { createInflateRaw, inflateRawSync } from "node:zlib";

const ENTRY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
const MOST_STREAMED = 400 * 1_048_576;

/** A file in an archive: its bytes there, and whether they are stored unpacked. */
interface Part {
  bytes: Buffer;
  stored: boolean;
}

/** Finds a file of a ZIP archive by the archive's directory (APPNOTE 4.3.12). */
function findPart(archive: Buffer, path: string): Part | undefined {
  for (let at = archive.indexOf(ENTRY); at >= 0; at = archive.indexOf(ENTRY, at + 46)) {
    if (at + 46 > archive.length) return undefined;
    if (archive.toString("utf8", at + 46, at + 46 + archive.readUInt16LE(at + 28)) !== path) continue;
    const start = archive.readUInt32LE(at + 42);
    if (start + 30 > archive.length) return undefined;
    const content = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    const bytes = archive.subarray(content, content + archive.readUInt32LE(at + 20));
    return { bytes, stored: archive.readUInt16LE(at + 10) === 0 };
  }
  return undefined;
}

/** Returns the text of a file in an archive; "" if it is missing, damaged or longer than `most` bytes. */
export function partText(archive: Buffer, path: string, most: number): string {
  const part = findPart(archive, path);
  if (part === undefined) return "";
  try {
    const { bytes, stored } = part;
    return (stored ? bytes : inflateRawSync(bytes, { maxOutputLength: most })).toString("utf8");
  } catch {
    return "";
  }
}

/** Yields the bytes of a file in an archive, as far as it can be read, and at most 400 MB. */
export async function* partBytes(archive: Buffer, path: string): AsyncGenerator<Buffer> {
  const part = findPart(archive, path);
  if (part === undefined) return;
  if (part.stored) {
    yield part.bytes;
    return;
  }
  const inflate = createInflateRaw({ chunkSize: 262_144 });
  inflate.end(part.bytes);
  let size = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_STREAMED) return;
      yield chunk;
    }
  } catch {
    // A damaged part is refused where its cells are read.
  }
}
