/** What a migration does to a table that takes time by its size. */
export interface TableWork {
  /** The table as the migration writes it: `store.lead`, or `person`. */
  table: string;
  work: Work;
}

/** `check` reads all rows, `index` and `search index` build one, `rows` changes rows, `rewrite` writes the table and its indexes again. */
export type Work = "check" | "index" | "search index" | "rows" | "rewrite";

/** What a table has, in bytes. */
export interface TableSize {
  bytes: number;
  indexBytes: number;
}

/**
 * Megabytes per second, a third of what was measured with a million rows on two cores (340 MB, and 220 MB of indexes): PostgreSQL
 * checked 2,200, indexed 220, indexed words at 18, and with their indexes changed all rows at 9 and wrote them again at 20.
 */
const SPEED: Readonly<Record<Work, number>> = {
  ...{ check: 700, index: 70, "search index": 6, rows: 3, rewrite: 7 },
};
const MEGABYTE = 1_000_000;

/** About how many seconds such work takes. */
export function secondsOf(work: Work, { bytes, indexBytes }: TableSize): number {
  const all = work === "rows" || work === "rewrite" ? bytes + indexBytes : bytes;
  return all / MEGABYTE / SPEED[work];
}

const TABLE = String.raw`(?:ONLY\s+)?((?:\w+\.)?(?:\w+|"\w+"))`;
const INDEX = new RegExp(
  String.raw`\bCREATE (?:UNIQUE )?INDEX[\w\s]*? ON\s+${TABLE}(?:\s+USING\s+(\w+))?`,
  "gi",
);
// Not those of triggers, locks, foreign keys and ON CONFLICT.
const UPDATE = new RegExp(
  String.raw`(?<!\b(?:FOR|ON|DO|OR|NO KEY)\s+)\bUPDATE\s+(?!OF\b|ON\b|SET\b)${TABLE}`,
  "gi",
);
const DELETE = new RegExp(String.raw`\bDELETE\s+FROM\s+${TABLE}`, "gi");
const COPY = new RegExp(String.raw`\bINSERT\s+INTO\b[^;]*?\bSELECT\b[^;]*?\bFROM\s+${TABLE}`, "gi");
const ALTER = new RegExp(String.raw`\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?${TABLE}\s+([^;]*)`, "gi");

const REWRITES =
  /\bTYPE\b|\bSTORED\b|\bGENERATED\s+\w+(?:\s+DEFAULT)?\s+AS\s+IDENTITY|\b(?:big)?serial\b|\bDEFAULT\s+\(?(?:gen_random_uuid|random|clock_timestamp|nextval)\b/i;
const INDEXES = /\bADD\s+(?:CONSTRAINT\s+\w+\s+)?(?:PRIMARY\s+KEY|UNIQUE)\s*\(/i;
const CHECKS = /\bSET\s+NOT\s+NULL\b|\bVALIDATE\b|\bCHECK\s*\(|\bFOREIGN\s+KEY\b|\bREFERENCES\b/i;

/** Returns what the SQL of a migration does that takes time by the size of a table, each pair once. */
export function workOf(sql: string): TableWork[] {
  const text = sql
    .replaceAll(/^\s*--.*$|\s--\s.*$/gm, "")
    // What functions do is not done by declaring them.
    .replaceAll(/\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE)\b[^;]*?(\$\w*\$)[\s\S]*?\1/gi, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''");
  const found = (pattern: RegExp, work: (found: RegExpExecArray) => Work | undefined): TableWork[] =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const does = work(match);
      return does === undefined ? [] : [{ table: (match[1] ?? "").toLowerCase(), work: does }];
    });
  const all = [
    ...found(ALTER, ([, , change = ""]) => workOfAlter(change)),
    ...[UPDATE, DELETE, COPY].flatMap((pattern) => found(pattern, () => "rows")),
    ...found(INDEX, ([, , method = ""]) => (/^gi[ns]/i.test(method) ? "search index" : "index")),
  ];
  return [...new Map(all.map((each) => [`${each.table} ${each.work}`, each])).values()];
}

function workOfAlter(change: string): Work | undefined {
  if (REWRITES.test(change)) return "rewrite";
  if (INDEXES.test(change)) return "index";
  return CHECKS.test(change) && !/\bNOT\s+VALID\b/i.test(change) ? "check" : undefined;
}
