import { LEAD_FIELDS } from "../../../contract/lists/lead-fields.ts";
import { plainHeader, WORDS, writtenWords } from "./header-words.ts";
import { OPT_OUT_HEADERS } from "./opt-out-headers.ts";
import { PRESETS } from "./preset-list.ts";

const OF_LEADS: readonly string[] = [
  ...WORDS.flatMap(writtenWords).map(([word]) => word),
  ...LEAD_FIELDS.map(({ name }) => name),
  ...PRESETS.flatMap(({ columns, custom = {}, tell, or = [], also, owner = [] }) => [
    ...[...Object.keys(columns), ...Object.keys(custom)],
    ...[...[tell, ...or].flat(2), ...also, ...owner],
  ]),
  ...Object.values(OPT_OUT_HEADERS).flat(),
];

/**
 * Returns a test for names of columns. A cell with letters beyond ASCII must have the accents of the name: a wrong encoding shows
 * others.
 */
function testOf(names: readonly string[]): (cell: string) => boolean {
  const exact = new Set(names.map((name) => written(name)));
  const plain = new Set(names.map(plainHeader));
  return (cell) => (isAscii(cell) ? plain.has(plainHeader(cell)) : exact.has(written(cell)));
}

/** A name in lower case, without punctuation, but with its accents. */
const written = (name: string): string =>
  name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** Whether a cell is a word for a field of leads, a header of a known program, or the name of a field. */
export const isKnownHeader = testOf(OF_LEADS);

/** Returns whether a cell is a name that columns commonly have: of a dataset's columns or, without them, of leads'. */
export const knownNames = (
  columns?: readonly { key: string; label: string }[],
): ((cell: string) => boolean) =>
  columns === undefined ? isKnownHeader : testOf(columns.flatMap(({ key, label }) => [key, label]));
