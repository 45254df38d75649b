/** Whose password it is: what belongs to a person is guessed first. */
export interface Owner {
  email: string;
  name: string;
}

/** Why a password is too easy to guess. */
export type PasswordFault = "common_password" | "password_pattern" | "personal_password";

/** Digits and signs around a word that make it no safer, such as `2026!!`; longer ones count if they have no pattern. */
const PADDING = 6;

const ROWS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "!@#$%^&*()",
];

/**
 * Returns why a password is too easy to guess. Refused are, in any case and with digits or signs around them, words of
 * the list (`isCommon`) and the owner's name and e-mail; and characters that repeat or follow each other.
 */
export function faultOfPassword(
  password: string,
  owner: Owner,
  isCommon: (word: string) => boolean,
): PasswordFault | undefined {
  const text = plain(password);
  if (isPattern(text)) return "password_pattern";
  if (isMadeOf(ownWords(owner), middleOf(joined(text)))) return "personal_password";
  const middle = middleOf(text);
  const words = [text, middle, spelled(text), spelled(middle)].flatMap((word) => [word, unitOf(word)]);
  return words.some((word) => isCommon(word)) ? "common_password" : undefined;
}

/** Lower case without accents and invisible characters. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase();

/** Digits and signs that people write for letters, as attackers know. */
const LETTERS: Record<string, string> = {
  "@": "a",
  4: "a",
  3: "e",
  1: "i",
  "!": "i",
  0: "o",
  $: "s",
  5: "s",
  7: "t",
};

const spelled = (text: string): string => text.replace(/[@431!0$57]/g, (sign) => LETTERS[sign] ?? sign);

const joined = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");

/** The text without the digits and signs around it, unless they are long and random. */
function middleOf(text: string): string {
  const words = [...text.matchAll(/\p{L}+/gu)];
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return text;
  const [start, end] = [first.index, last.index + last[0].length];
  const around = [text.slice(0, start), text.slice(end)];
  return around.every((padding) => padding.length <= PADDING || isPattern(padding))
    ? text.slice(start, end)
    : text;
}

/** The shortest text that, repeated, makes the whole; the text itself if it does not repeat. */
const unitOf = (text: string): string => text.slice(0, (text + text).indexOf(text, 1));

/** Whether a text has few different characters, repeats up to four, or follows rows of the alphabet or the keyboard. */
function isPattern(text: string): boolean {
  if (new Set(text).size < 4) return true;
  if ([1, 2, 3, 4].some((length) => text.slice(length) === text.slice(0, -length))) return true;
  return runsIn(text) * 3 <= text.length;
}

/** For two characters that follow each other in a row: the rows in which they do, forwards and backwards. */
const WAYS = Map.groupBy(
  ROWS.flatMap((row) => [row, [...row].reverse().join("")]).flatMap((row, way) =>
    [...row].slice(1).map((letter, at) => ({ pair: `${row[at]}${letter}`, way })),
  ),
  ({ pair }) => pair,
);

/** In how many pieces a text goes along a row, in one direction each; a repeated character ends no piece. */
function runsIn(text: string): number {
  let runs = 0;
  let last = "";
  let going: number[] | undefined;
  for (const letter of text) {
    if (letter === last) continue;
    const steps = (WAYS.get(last + letter) ?? []).map(({ way }) => way);
    const on = steps.filter((way) => going?.includes(way) !== false);
    if (on.length === 0) runs += 1;
    going = on.length === 0 ? undefined : on;
    last = letter;
  }
  return runs;
}

/** The words of a person's name and e-mail, and the service's, longest first. */
function ownWords({ email, name }: Owner): string[] {
  const texts = [email, name, "leadgate"].map(plain);
  const words = texts.flatMap((text) => [joined(text), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return words.filter((word) => /\p{L}{2}/u.test(word)).sort((a, b) => b.length - a.length);
}

/** Whether nothing is left of a text when the words are taken out. */
const isMadeOf = (words: readonly string[], text: string): boolean =>
  words.reduce((rest, word) => rest.replaceAll(word, ""), text) === "";
