import { Recent } from "../wire/recent.ts";

/** A part of a statement: what WITH names, or what follows it, which has no name. */
export interface Part {
  name: string;
  /** The names of its columns if WITH gives them others. */
  columns: readonly string[] | undefined;
  text: string;
  writes: boolean;
  /** The names of the parts before it that it may read. */
  reads: readonly string[];
  /** What an INSERT … SELECT consists of, if only its SELECT reads other parts. */
  insert: { head: string; select: string; tail: string } | undefined;
  /** The number of the parameter whose rows it is, if it is nothing else. */
  rowsOf: number | undefined;
}

const KEPT = 1_000;
const known = new Recent<string, readonly Part[] | "one">(KEPT);

/** Returns the parts of a statement that writes and has several, in their order; undefined for all others. */
export function partsOf(text: string): readonly Part[] | undefined {
  let parts = known.get(text);
  if (parts === undefined) {
    parts = split(text) ?? "one";
    known.set(text, parts);
  }
  return parts === "one" ? undefined : parts;
}

const WITH = /^\s*WITH\s+(?!RECURSIVE\b)/i;
const PART = /\s*(\w+)\s*(?:\(([^()]*)\)\s*)?AS\s+(?:(?:NOT\s+)?MATERIALIZED\s*)?\(/iy;
const ROWS_OF = /^\s*SELECT\s+\*\s+FROM\s+jsonb_to_recordset\(\$(\d+)::jsonb\)\s+AS\s+\w+\s*\([^()]*\)\s*$/i;
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE)\b/i;

function split(text: string): Part[] | undefined {
  const plain = blanked(text);
  const start = WITH.exec(plain);
  if (start === null) return undefined;
  const parts: Part[] = [];
  const add = (name: string, columns: string | undefined, from: number, to: number) => {
    const its = plain.slice(from, to);
    const readIn = (some: string) =>
      parts.map((part) => part.name).filter((each) => new RegExp(`\\b${each}\\b`).test(some));
    const [select, tail] = insertPlaces(its) ?? [];
    parts.push({
      ...{ name, text: text.slice(from, to), reads: readIn(its), writes: WRITES.test(its) },
      insert:
        select === undefined || tail === undefined || readIn(its.slice(tail)).length > 0
          ? undefined
          : {
              head: text.slice(from, from + select),
              select: text.slice(from + select, from + tail),
              tail: text.slice(from + tail, to),
            },
      rowsOf: columns === undefined ? rowsOf(its) : undefined,
      columns: columns?.split(",").map((column) => column.trim()),
    });
  };
  let at = start[0].length;
  for (let isMore = true; isMore; ) {
    PART.lastIndex = at;
    const head = PART.exec(plain);
    if (head === null) return undefined;
    const close = closing(plain, PART.lastIndex);
    add(head[1] ?? "", head[2], PART.lastIndex, close);
    const comma = /^\s*,/.exec(plain.slice(close + 1));
    isMore = comma !== null;
    at = close + 1 + (comma?.[0].length ?? 0);
  }
  add("", undefined, at, text.length);
  return parts.some(({ writes }) => writes) ? parts : undefined;
}

function rowsOf(plain: string): number | undefined {
  const [, number] = ROWS_OF.exec(plain) ?? [];
  return number === undefined ? undefined : Number(number);
}

const INSERT = /^\s*INSERT\s+INTO\s+[\w.]+\s*\(/i;
const TAIL = /\b(?:ON\s+CONFLICT|RETURNING)\b/iy;

/** Where the SELECT of an INSERT begins, and what comes behind it. */
function insertPlaces(plain: string): [select: number, tail: number] | undefined {
  const head = INSERT.exec(plain);
  if (head === null) return undefined;
  const select = closing(plain, head[0].length) + 1;
  if (!/^\s*SELECT\b/i.test(plain.slice(select))) return undefined;
  let open = 0;
  for (let at = select; at < plain.length; at += 1) {
    if (plain[at] === "(") open += 1;
    else if (plain[at] === ")") open -= 1;
    TAIL.lastIndex = at;
    if (open === 0 && TAIL.test(plain)) return [select, at];
  }
  return [select, plain.length];
}

/** The place of the parenthesis that closes what is open before `from`. */
function closing(plain: string, from: number): number {
  let open = 1;
  for (let at = from; at < plain.length; at += 1) {
    if (plain[at] === "(") open += 1;
    else if (plain[at] === ")") open -= 1;
    if (open === 0) return at;
  }
  throw new Error("a statement has a parenthesis that nothing closes");
}

const QUOTED =
  /\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$/gi;

/** A text of the same length with spaces in place of strings, quoted names and comments. */
export const blanked = (text: string): string => text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
