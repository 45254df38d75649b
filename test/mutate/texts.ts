/** A change inside a text: `length` characters at `at` become `to`. */
interface Change {
  at: number;
  length: number;
  to: string;
}

const SQL = /\b(SELECT|UPDATE|INSERT INTO|DELETE FROM|WHERE|RETURNING|ORDER BY|JOIN)\b/;
const UNITS = ["second", "minute", "hour", "day", "month", "year"];
const TIME = /^(\d+) (second|minute|hour|day|month)(s?)$/;
const TURNED: [RegExp, string | ((found: string) => string)][] = [
  [/ AND /g, " OR "],
  [/ OR /g, " AND "],
  [/ <= /g, " < "],
  [/ >= /g, " > "],
  [/ < /g, " <= "],
  [/ > /g, " >= "],
  [/ = /g, " <> "],
  [/ <> /g, " = "],
  [/IS NULL/g, "IS NOT NULL"],
  [/IS NOT NULL/g, "IS NULL"],
  [/NOT EXISTS/g, "EXISTS"],
  [/ DESC\b/g, " ASC"],
  [/LEFT JOIN/g, "JOIN"],
  [/ FOR UPDATE\b/g, ""],
  [/LIMIT \d+/g, (found) => `LIMIT ${Number(found.slice(6)) + 1}`],
  [/interval '\d+ \w+'/g, (found) => `interval '${longer(found.slice(10, -1)) ?? "1 year"}'`],
];
/** What stands before a comparison; behind SET or a list of columns, `=` is none. */
const CLAUSES = /\b(SELECT|SET|WHERE|ON|AND|OR|HAVING|WHEN|VALUES|FILTER)\b/g;
const COMPARING = /^(WHERE|ON|AND|OR|HAVING|WHEN|FILTER)$/;

/** The changes of a piece of SQL; none for other texts. */
export function inSql(text: string): Change[] {
  if (!SQL.test(text)) return [];
  return TURNED.flatMap(([pattern, turned]) =>
    [...text.matchAll(pattern)]
      .filter(({ 0: found, index }) => isMeant(text, found, index))
      .map(({ 0: found, index }) => ({
        at: index,
        length: found.length,
        to: typeof turned === "string" ? turned : turned(found),
      })),
  );
}

function isMeant(text: string, found: string, index: number): boolean {
  const before = text.slice(0, index);
  if (found === " AND ") return !/\bBETWEEN\b[^()]{0,60}$/.test(before);
  if (found !== " = ") return true;
  const clause = [...before.matchAll(CLAUSES)].at(-1)?.[1] ?? "";
  return COMPARING.test(clause);
}

/** A time in words, such as `12 hours`, in the next longer unit. */
export function longer(text: string): string | undefined {
  const [, amount, unit = "", plural] = TIME.exec(text) ?? [];
  const next = UNITS[UNITS.indexOf(unit) + 1];
  return amount === undefined ? undefined : `${amount} ${next}${plural}`;
}
