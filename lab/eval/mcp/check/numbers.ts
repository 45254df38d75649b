/** Words behind a number that multiply it, in both languages. */
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^ ?(mil\b|k\b|thousand\b)/i, 1_000],
  [/^ ?(mi\b|m\b|milh(ão|ões)|milhao|milhoes|million|mn\b)/i, 1_000_000],
];

/** Numbers as words, from two on, in both languages: an answer may say "the twelve people". One is an article, too. */
const WORDS = new Map(
  [
    ...["two dois duas", "three tres", "four quatro", "five cinco", "six seis", "seven sete", "eight oito"],
    ...["nine nove", "ten dez", "eleven onze", "twelve doze", "thirteen treze", "fourteen catorze quatorze"],
    ...["fifteen quinze", "sixteen dezesseis", "seventeen dezessete", "eighteen dezoito"],
    ...["nineteen dezenove", "twenty vinte"],
  ].flatMap((words, n) => words.split(" ").map((word): [string, number] => [word, n + 2])),
);

/** What looks like a number and is none: ids, e-mail addresses, dates and times of day. */
const NO_NUMBERS =
  /\b[a-z]{2,5}_[0-9a-z]{20,}\b|\S+@\S+|\b\d{4}-\d{2}-\d{2}\S*|\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b|\b\d{1,2}\/\d{1,2}\b|\b\d{1,2}:\d{2}(:\d{2})?\b/gi;

/** Digits with separators between them; a space separates thousands only. */
const NUMBER = /(?<![\w])\d+(?:[.,’']\d+|[ \u00a0\u202f]\d{3}(?!\d))*/g;

/**
 * Returns every number that a text may mean: 1.234 is 1234 or 1.234, whichever language it is in, 48 mil is 48 and
 * 48000, and doze is 12.
 */
export function numbersIn(text: string): number[] {
  const bare = text.replace(NO_NUMBERS, " ; ").replace(/[*_`]/g, "");
  const words =
    bare
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  const written = words.flatMap((word) => WORDS.get(word) ?? []);
  const digits = [...bare.matchAll(NUMBER)].flatMap(({ 0: number, index }) => {
    const readings = readingsOf(number);
    const behind = bare.slice(index + number.length);
    const scale = SCALES.find(([word]) => word.test(behind))?.[1];
    return scale === undefined ? readings : [...readings, ...readings.map((reading) => reading * scale)];
  });
  return [...digits, ...written];
}

function readingsOf(written: string): number[] {
  const joined = written.replace(/[ \u00a0\u202f’']/g, "");
  const whole = Number(joined.replace(/[.,]/g, ""));
  const last = Math.max(joined.lastIndexOf("."), joined.lastIndexOf(","));
  if (last === -1) return [whole];
  const decimal = Number(`${joined.slice(0, last).replace(/[.,]/g, "")}.${joined.slice(last + 1)}`);
  const separators = new Set(joined.match(/[.,]/g));
  // 1.234.567 has separators of one kind: thousands. 1.234,5 has two: the last one is decimal.
  if (separators.size === 2) return [decimal];
  if ((joined.match(/[.,]/g) ?? []).length > 1) return [whole];
  return /[.,]\d{3}$/.test(joined) ? [whole, decimal] : [decimal];
}
