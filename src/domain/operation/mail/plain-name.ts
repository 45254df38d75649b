const LONGEST = 60;

/** Look-alikes of the characters that links consist of; domain names may be written with the first four dots. */
const AS_ASCII: ReadonlyArray<readonly [RegExp, string]> = [
  [/[。．｡․﹒]/g, "."],
  [/[／⁄∕⧸╱]/g, "/"],
  [/[＼﹨⧵∖]/g, "\\"],
  [/[：﹕︓∶ː꞉]/g, ":"],
  [/[＠﹫]/g, "@"],
];

/** What mail programs turn into links: each is replaced with a space. */
const LINKS: readonly RegExp[] = [
  // the end of a scheme: https://, mailto:
  /(?<=(?<![\p{L}\p{N}])\p{L}[\p{L}\p{N}+.-]*):[/\\]*(?=\S)/gu,
  // a network path, and the rest of an address without a scheme
  /[/\\]{2,}/g,
  /(?<=\S)@(?=\S)/g,
  /(?<=\b(?:www|ftp)\d*)\.(?=\S)/gi,
  // a dot before what could be a top-level domain: two characters or more that do not begin with a digit
  /(?<=\S)\.(?=[^\s\p{P}\p{N}][^\s\p{P}])/gu,
];

const IPV4 = /\d{1,3}(?:\.\d{1,3}){3,}/g;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Returns a name that users chose as plain text on one line, for a mail: without invisible characters and anything that
 * a mail program would turn into a link, and cut after about 60 characters. Ordinary names stay readable.
 */
export function plainName(text: string): string {
  let name = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Z}\u2800]+/gu, " ")
    .replace(/[\p{C}\p{DI}]/gu, "")
    // a letter with hundreds of marks would cover the lines around it
    .replace(/(\p{M}{3})\p{M}+/gu, "$1");
  for (const [lookalikes, character] of AS_ASCII) name = name.replace(lookalikes, character);
  for (const link of LINKS) name = name.replace(link, " ");
  name = name
    .replace(IPV4, (address) => address.replaceAll(".", " "))
    .replace(/ +/g, " ")
    .trim();
  return name === "" ? "—" : shortened(name);
}

/** Cuts a long text between two characters as readers see them, however many code points those have. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length >= LONGEST) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
