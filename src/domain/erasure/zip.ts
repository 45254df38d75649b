import { Zip, ZipDeflate } from "fflate";

/** A file in an archive, as text in parts. */
export interface ZippedFile {
  name: string;
  text: AsyncIterable<string>;
}

/** Yields a ZIP archive while its files are being read; nothing is held but the part at hand. */
export async function* zipOf(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    ready.push(bytes);
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
    for await (const part of text) {
      file.push(encoder.encode(part));
      yield* taken();
    }
    file.push(new Uint8Array(0), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
