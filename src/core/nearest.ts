import { folded } from "./folded.ts";

/** Longer words are compared by their beginning. */
const LONGEST = 40;

/** Words that differ by a larger share of their characters are not alike. */
const FARTHEST = 0.45;

/** Returns the words that are like a text, the most alike first. */
export function near(text: string, words: readonly string[]): string[] {
  const wanted = folded(text).slice(0, LONGEST);
  return nearest(text, words).filter((word) => distance(wanted, folded(word).slice(0, LONGEST)) <= FARTHEST);
}

/** Returns the words in the order of their likeness to a text; words that are equally alike keep their order. */
export function nearest(text: string, words: readonly string[]): string[] {
  const wanted = folded(text).slice(0, LONGEST);
  return words
    .map((word) => ({ word, far: distance(wanted, folded(word).slice(0, LONGEST)) }))
    .sort((a, b) => a.far - b.far)
    .map(({ word }) => word);
}

/** The share of characters to insert, delete or replace, 0 to 1; a word that contains the other is nearer. */
function distance(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 0;
  const contains = a !== "" && b !== "" && (a.includes(b) || b.includes(a));
  return (edits(a, b) / longer) * (contains ? 0.5 : 1);
}

/** The number of single-character edits between two strings (Levenshtein). */
export function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
