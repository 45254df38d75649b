import pg from "pg";
import { prepareValue } from "pg/lib/utils.js";
import { blanked } from "../../src/db/statements/parts.ts";

/** A statement with the values that it was sent with. */
export interface SentStatement {
  text: string;
  values: readonly unknown[];
}

interface Wired {
  parse(query: { text: string; name?: string }, more?: boolean): void;
  bind(query: { statement?: string; values?: readonly unknown[] }, more?: boolean): void;
}

/**
 * Records each statement with parameters that this process sends from now on, once, with the values that it had first: all of
 * them pass through these two methods of pg.
 */
export function logSent(): ReadonlyMap<string, SentStatement> {
  const sent = new Map<string, SentStatement>();
  const named = new Map<string, string>();
  const wire = pg.Connection.prototype as unknown as Wired;
  const { parse, bind } = wire;
  let unnamed = "";
  wire.parse = function (this: Wired, message, more) {
    if (message.name === undefined || message.name === "") unnamed = message.text;
    else named.set(message.name, message.text);
    parse.call(this, message, more);
  };
  wire.bind = function (this: Wired, message, more) {
    // Each is bound right behind its parsing, so that the text without a name is that of the statement.
    const text = (message.statement && named.get(message.statement)) || unnamed;
    if (!sent.has(text)) sent.set(text, { text, values: message.values ?? [] });
    bind.call(this, message, more);
  };
  return sent;
}

/** How a cluster runs a statement: on its coordinator, on one shard, or otherwise. */
export type Way = "coordinator" | "one shard" | "several steps" | "several shards";

/** Returns the way of each statement that can be explained. */
export async function waysOf(url: string, statements: Iterable<SentStatement>): Promise<Map<string, Way>> {
  const client = new pg.Client({
    connectionString: url,
    options: "-c search_path=store,leadgate,public -c client_min_messages=error",
  });
  await client.connect();
  const ways = new Map<string, Way>();
  try {
    for (const { text, values } of statements) {
      if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text)) continue;
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${literal(text, values)}`);
      ways.set(text, wayOf(rows.map((row) => row["QUERY PLAN"]).join("\n")));
    }
  } finally {
    await client.end();
  }
  return ways;
}

/** With its values in it, because Citus explains no INSERT … SELECT with parameters. */
function literal(text: string, values: readonly unknown[]): string {
  let whole = "";
  let from = 0;
  for (const match of blanked(text).matchAll(/\$(\d+)/g)) {
    const value: unknown = prepareValue(values[Number(match[1]) - 1]);
    const shown = Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : String(value);
    whole += `${text.slice(from, match.index)}${value === null ? "NULL" : pg.escapeLiteral(shown)}`;
    from = match.index + match[0].length;
  }
  return whole + text.slice(from);
}

function wayOf(plan: string): Way {
  if (!plan.includes("Citus")) return "coordinator";
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  if (counts.some((count) => count > 1)) return "several shards";
  return plan.includes("Distributed Subplan") || counts.length > 1 ? "several steps" : "one shard";
}
