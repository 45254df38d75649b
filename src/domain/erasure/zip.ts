import { Zip, ZipDeflate } from "fflate";

/** A file in an archive, as text in parts. */
export interface ZippedFile {
  name: string;
  text: AsyncIterable<string>;
}

/** What a ZIP without the 64-bit extension, which fflate does not write, can state: of each file's size and of its own. */
const MOST = 2 ** 32 - 1;

/**
 * Yields a ZIP archive while its files are being read; nothing is held but the part at hand. Throws where a file or the
 * archive becomes larger than `most` bytes: its download breaks off, instead of ending as a file that nothing can read.
 */
export async function* zipOf(files: AsyncIterable<ZippedFile>, most = MOST): AsyncGenerator<Uint8Array> {
  let written = 0;
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    ready.push(bytes);
    written += bytes.length;
  });
  const taken = () => {
    const all = ready;
    ready = [];
    return all;
  };
  const encoder = new TextEncoder();
  for await (const { name, text } of files) {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    let size = 0;
    for await (const part of text) {
      const bytes = encoder.encode(part);
      size += bytes.length;
      if (Math.max(size, written) > most) throw new Error(`${name} does not fit into a ZIP of ${most} bytes`);
      file.push(bytes);
      yield* taken();
    }
    file.push(new Uint8Array(0), true);
    yield* taken();
  }
  zip.end();
  if (written > most) throw new Error(`The files do not fit into a ZIP of ${most} bytes`);
  yield* taken();
}
