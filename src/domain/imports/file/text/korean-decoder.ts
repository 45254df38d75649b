/**
 * Returns a decoder of EUC-KR as Windows writes it (code page 949) and the Encoding Standard defines it: with the 8,822
 * syllables, such as 샾 and 펲, and the two signs that the TextDecoder of ICU lacks.
 */
export function koreanDecoder(): { write(chunk: Buffer): string; end(): string } {
  let held: Buffer = Buffer.alloc(0);
  return {
    write: (chunk) => {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const { text, end } = decoded(bytes);
      held = Buffer.from(bytes.subarray(end));
      return text;
    },
    end: () => (held.length === 0 ? "" : "\ufffd"),
  };
}

/** The text of all whole characters, and where the last of them ends. */
function decoded(bytes: Buffer): { text: string; end: number } {
  const plain = new TextDecoder("euc-kr");
  let text = "";
  let from = 0;
  let at = 0;
  const insert = (character: string, length: number): void => {
    text += plain.decode(bytes.subarray(from, at)) + character;
    from = at + length;
  };
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) at += 1;
    else if (lead === 0x80 || lead === 0xff) {
      insert("\ufffd", 1);
      at += 1;
    } else {
      const trail = bytes[at + 1];
      if (trail === undefined) break;
      const known = lead >= 0xa1 && trail >= 0xa1 && trail < 0xff && !SIGNS.has(lead * 256 + trail);
      // An ASCII byte that ends no syllable, such as a comma, stays.
      const syllable = known ? "" : syllables().get(lead * 256 + trail);
      const length = syllable === undefined && trail < 0x80 ? 1 : 2;
      if (!known) insert(syllable ?? "\ufffd", length);
      at += length;
    }
  }
  return { text: text + plain.decode(bytes.subarray(from, at)), end: at };
}

const SIGNS: ReadonlyMap<number, string> = new Map([
  [0xa2e6, "€"],
  [0xa2e7, "®"],
]);

let more: ReadonlyMap<number, string> | undefined;

/** The characters that ICU lacks, by their two bytes; the syllables are all others of Unicode, in its order. */
function syllables(): ReadonlyMap<number, string> {
  if (more !== undefined) return more;
  const pairs = Array.from({ length: 25 * 94 }, (_, i) => [0xb0 + Math.floor(i / 94), 0xa1 + (i % 94)]);
  const known = new Set(new TextDecoder("euc-kr").decode(Uint8Array.from(pairs.flat())));
  const map = new Map(SIGNS);
  let syllable = 0xac00;
  for (let lead = 0x81; lead <= 0xc6; lead += 1)
    for (let trail = 0x41; trail <= (lead > 0xa0 ? 0xa0 : 0xfe); trail += 1) {
      if ((trail > 0x5a && trail < 0x61) || (trail > 0x7a && trail < 0x81)) continue;
      while (known.has(String.fromCharCode(syllable))) syllable += 1;
      if (syllable > 0xd7a3) break;
      map.set(lead * 256 + trail, String.fromCharCode(syllable));
      syllable += 1;
    }
  more = map;
  return more;
}
