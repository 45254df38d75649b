import { Database, type ProjectDb } from "../../../src/db/pool/database.ts";
import type { QueryOptions } from "../../../src/db/pool/project-db.ts";
import type { Statement } from "../../../src/db/wire/statement-batch.ts";
import type { World } from "../../world.ts";

/** A statement about project data as the service sent it, and how many rows it returned. */
export interface Sent {
  text: string;
  values: readonly unknown[];
  rows: number;
}

/** Returns the statements that this process sends from behind its doors while `work` runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { behind } = Database.prototype;
  const told = <R>(text: string, values: readonly unknown[] = [], rows: R[]): R[] => {
    sent.push({ text, values, rows: rows.length });
    return rows;
  };
  Database.prototype.behind = function (door): ProjectDb {
    const db = behind.call(this, door);
    return {
      ...db,
      query: async (text, values, options) => told(text, values, await db.query(text, values, options)),
      queryAndCheck: async <R, C>(
        text: string,
        values: readonly unknown[],
        check: Statement,
        options?: QueryOptions,
      ) => {
        const answer = await db.queryAndCheck<R, C>(text, values, check, options);
        told(text, values, answer.rows);
        return answer;
      },
      transaction: (work, lane, ahead) =>
        db.transaction(
          (tx, rows) =>
            work(
              { ...tx, query: async (text, values) => told(text, values, await tx.query(text, values)) },
              rows,
            ),
          lane,
          ahead,
        ),
    };
  };
  try {
    await work();
  } finally {
    Database.prototype.behind = behind;
  }
  return sent;
}

/** A part of a plan. */
interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
}

/** Returns all parts of a statement's plan, on a cluster those of the node of its shard, with the names of the tables and their indexes. */
export async function planOf(the: World, { text, values }: Sent): Promise<Plan[]> {
  const rows = await the.sql<{ "QUERY PLAN": unknown }>(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
  return partsOf(rows);
}

function partsOf(value: unknown): Plan[] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.values(value).flatMap(partsOf);
  return "Node Type" in value ? [withoutShards(value as Plan), ...within] : within;
}

/** The names of shards, and of their indexes, end with a number. */
const withoutShards = (part: Plan): Plan =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      typeof value === "string" && /^(Relation|Index) Name$/.test(name)
        ? value.replace(/_\d{6}$/, "")
        : value,
    ]),
  ) as unknown as Plan;
