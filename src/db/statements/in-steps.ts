import pg from "pg";
import type { Row } from "../wire/statement-batch.ts";
import { blanked, type Part } from "./parts.ts";

/** The rows of a part, for those behind it: the definitions of its columns, and the rows as JSON. */
interface Carried {
  columns: readonly { name: string; type: string }[];
  json: string;
}

interface RawResult {
  fields: readonly pg.FieldDef[];
  rows: (string | null)[][];
}

/** Sends a statement and waits for its answer; with `raw`, values are PostgreSQL's texts. */
export type SendOne = (query: {
  text: string;
  values: unknown[];
  raw: boolean;
}) => Promise<{ rows: unknown[]; fields: readonly pg.FieldDef[] }>;

/** The names of types by their numbers, which differ from database to database. */
export type TypeNames = Map<number, string>;

/**
 * Runs a statement's parts one after another in a transaction, and returns the rows of the last. It is how Citus runs a write of
 * several parts, but Citus then carries rows between them over all nodes, so that one dead worker would fail the writes of all
 * projects. Here the rows of a part are a parameter of those that read it, so each goes to its project's node alone.
 */
export async function inSteps(
  send: SendOne,
  types: TypeNames,
  parts: readonly Part[],
  values: readonly unknown[],
): Promise<Row[]> {
  const carried = new Map<string, Carried>();
  const read = new Set(parts.flatMap(({ reads }) => reads));
  for (const part of parts.slice(0, -1)) {
    if (!part.writes && !read.has(part.name)) continue;
    const isRead = read.has(part.name);
    const result = await ran(send, part, carried, values, isRead);
    if (isRead) carried.set(part.name, await carry(send, types, part, result));
  }
  const last = parts.at(-1);
  if (last === undefined) return [];
  return (await send({ ...step(last, carried, values), raw: false })).rows as Row[];
}

/**
 * Runs a part that is not the last. Citus plans an INSERT … SELECT for longer than its two halves, and copies its rows; so the SELECT is
 * sent alone, and a single row is inserted with its values. More are left to Citus, which numbers each row of an audit log only then.
 */
async function ran(
  send: SendOne,
  part: Part,
  carried: ReadonlyMap<string, Carried>,
  values: readonly unknown[],
  isRead: boolean,
): Promise<RawResult> {
  const { insert } = part;
  if (insert !== undefined) {
    const selecting = step({ text: insert.select, reads: part.reads }, carried, values);
    const { rows } = (await send({ ...selecting, raw: true })) as RawResult;
    const [only] = rows;
    // Who reads a part needs its columns, also without rows.
    if (only === undefined && !isRead) return { fields: [], rows: [] };
    if (only !== undefined && rows.length === 1) {
      const places = only.map((_, i) => `$${values.length + i + 1}`).join(", ");
      const text = `${insert.head} VALUES (${places}) ${insert.tail}`;
      const inserting = step({ text, reads: [] }, carried, [...values, ...only]);
      return (await send({ ...inserting, raw: true })) as RawResult;
    }
  }
  return (await send({ ...step(part, carried, values), raw: true })) as RawResult;
}

/** A part as a statement of its own, with the parameters that it has. */
function step(
  part: Pick<Part, "text" | "reads">,
  carried: ReadonlyMap<string, Carried>,
  values: readonly unknown[],
): { text: string; values: unknown[] } {
  const given: unknown[] = [];
  const places = new Map<number, string>();
  let text = "";
  let from = 0;
  for (const match of blanked(part.text).matchAll(/\$(\d+)/g)) {
    const n = Number(match[1]);
    const place = places.get(n) ?? `$${given.push(values[n - 1])}`;
    places.set(n, place);
    text += part.text.slice(from, match.index) + place;
    from = match.index + match[0].length;
  }
  text += part.text.slice(from);
  const read = part.reads.flatMap((name) => {
    const rows = carried.get(name);
    if (rows === undefined) return [];
    given.push(rows.json);
    const columns = rows.columns.map((column) => column.name).join(", ");
    const definitions = rows.columns.map((column) => `${column.name} ${column.type}`).join(", ");
    const source = `json_to_recordset($${given.length}::json) AS carried (${definitions || "nothing text"})`;
    // Without NOT, Citus would make it a part of its own.
    return `${name} AS NOT MATERIALIZED (SELECT ${columns} FROM ${source})`;
  });
  if (read.length === 0) return { text, values: given };
  const own = /^\s*WITH\s+(?:RECURSIVE\s+)?/i.exec(text)?.[0];
  const whole =
    own === undefined
      ? `WITH ${read.join(", ")} ${text}`
      : `${own}${read.join(", ")}, ${text.slice(own.length)}`;
  return { text: whole, values: given };
}

const { JSON: JSON_TYPE, JSONB } = pg.types.builtins;
const JSON_TYPES: ReadonlySet<number> = new Set([JSON_TYPE, JSONB]);
/** What a function returns that returns nothing. */
const VOID = 2278;

async function carry(
  send: SendOne,
  types: TypeNames,
  { columns }: Part,
  { fields, rows }: RawResult,
): Promise<Carried> {
  const unknown = fields.map(({ dataTypeID }) => dataTypeID).filter((id) => !types.has(id));
  if (unknown.length > 0) {
    const text =
      "SELECT oid::integer AS id, format_type(oid, NULL) AS name FROM pg_type WHERE oid = ANY ($1::oid[])";
    const found = await send({ text, values: [unknown], raw: false });
    for (const { id, name } of found.rows as { id: number; name: string }[])
      types.set(id, id === VOID ? "text" : name);
  }
  const names = fields.map(({ name }, i) => `"${(columns?.[i] ?? name).replaceAll('"', '""')}"`);
  const keys = fields.map(({ name }, i) => JSON.stringify(columns?.[i] ?? name));
  // A string is read as the type's text, also for arrays and rows; only JSON is itself.
  const cells = (row: (string | null)[]) =>
    row.map((value, i) => {
      const isJson = JSON_TYPES.has(fields[i]?.dataTypeID ?? 0);
      return `${keys[i]}:${value === null || isJson ? value : JSON.stringify(value)}`;
    });
  return {
    columns: fields.map(({ dataTypeID }, i) => ({
      name: names[i] ?? "",
      type: types.get(dataTypeID) ?? "text",
    })),
    json: `[${rows.map((row) => `{${cells(row).join(",")}}`).join(",")}]`,
  };
}
