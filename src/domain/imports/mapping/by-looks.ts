import type { ColumnProfile } from "../file/column-profile.ts";
import { fieldByWords, plainHeader } from "./header-words.ts";

/** Returns the column with e-mails or phones whose header is a sentence, such as `What is your e-mail?`, among columns that fill nothing. */
export function byLooks(free: readonly ColumnProfile[], field: "email" | "phone"): ColumnProfile | undefined {
  const all = free.filter(
    ({ looks, distinct, filled }) => looks === field && (distinct === true || filled < 2),
  );
  const named = all.filter(({ name }) => hasWord(name, field));
  const [only, ...more] = field === "email" && named.length === 0 ? all : named;
  return more.length === 0 ? only : undefined;
}

/** Whether cells of a column may be e-mails or phones: a wrong guess would make its rows fail. */
export const mayHold = ({ looks, samples }: ColumnProfile, list: "emails" | "phones"): boolean => {
  if (samples.length === 0) return true;
  return list === "emails"
    ? looks === "email" || samples.every((sample) => /[@[]/.test(sample))
    : samples.some((sample) => /\d{4}/.test(sample.replace(/\D/g, "")));
};

/** Whether a header has a word, or two, that mean a field. */
const hasWord = (header: string, field: string): boolean =>
  plainHeader(header)
    .split(" ")
    .some((word, i, words) =>
      [word, words.slice(i, i + 2).join(" ")].some((each) => fieldByWords(each) === field),
    );
