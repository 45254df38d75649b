/** What an export says about a statement. */
interface StatementWords {
  /** SELECT, INSERT and so on. */
  operation: string;
  /** The operation and the first table, for the span's name: `SELECT lead`. */
  summary: string;
  /** The text with placeholders and without literals, which may have been made of what users wrote. */
  text: string;
}

const MOST_KEPT = 1_000;
const LONGEST = 4_000;
const known = new Map<string, StatementWords>();

const LITERAL = /\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/gi;
const QUOTED = /"(?:[^"]|"")*"/g;
const OPERATION =
  /\b(SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|BEGIN|COMMIT|ROLLBACK|CREATE|ALTER|DROP|SET|LOCK)\b/i;
const TABLE = /\b(?:FROM|INTO|UPDATE|COPY|MERGE\s+INTO)\s+(?:ONLY\s+)?([a-z_][\w.]*)/i;

/** Returns the words of a statement by its SQL; those of the statements that were asked for last are kept. */
export function statementWords(sql: string): StatementWords {
  const before = known.get(sql);
  if (before !== undefined) return before;
  const words = wordsOf(sql);
  if (known.size >= MOST_KEPT) for (const [oldest] of known) if (known.delete(oldest)) break;
  known.set(sql, words);
  return words;
}

/** A write in a WITH, which says more than the SELECT that returns its result. */
const WRITE = /\b(?:UPDATE|INSERT\s+INTO|DELETE\s+FROM)\s+(?!(?:SET|OF|SKIP|NOWAIT)\b)[a-z_][\w.]*/i;

function wordsOf(sql: string): StatementWords {
  const text = sql.replace(LITERAL, "?").replace(QUOTED, '"?"').replace(/\s+/g, " ").trim();
  const whole = /^WITH\b/i.test(text) ? behindWith(text) : text;
  const main = whole === text || WRITE.test(whole) ? whole : (WRITE.exec(text)?.[0] ?? whole);
  const operation = (OPERATION.exec(main)?.[1] ?? text.split(" ", 1)[0] ?? "").toUpperCase();
  const table = TABLE.exec(main)?.[1];
  return {
    operation,
    summary: table === undefined ? operation : `${operation} ${table}`,
    text: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text,
  };
}

/** What stands outside of all parentheses: the statement behind its WITH. */
function behindWith(text: string): string {
  let depth = 0;
  let outside = "";
  for (const character of text) {
    if (character === "(") depth += 1;
    if (depth === 0) outside += character;
    if (character === ")") depth -= 1;
  }
  return outside;
}
