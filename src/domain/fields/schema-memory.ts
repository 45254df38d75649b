import type { Database } from "../../db/pool/database.ts";
import { Recent } from "../../db/wire/recent.ts";

const MOST = 1_000;
/** Views and members in it may name people, so what was not used for so long is forgotten, in milliseconds. */
const LONGEST_MS = 10 * 60_000;

/** A project's schema as the database returned it, and as it was read. */
interface Kept<Schema> {
  text: string;
  schema: Schema;
}

/**
 * Keeps what was read of projects' schemas, so that a page or a write and its schema are asked for in one message. The
 * database compares or returns the schema each time; what was planned by another one is planned again.
 */
class SchemaMemory<Schema> {
  readonly #kept = new Recent<string, Kept<Schema> & { usedAt: number }>(MOST);
  readonly #read: (text: string | undefined) => Schema;

  constructor(read: (text: string | undefined) => Schema) {
    this.#read = read;
  }

  /** Returns a kept schema. */
  get(key: string): Kept<Schema> | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (performance.now() - kept.usedAt > LONGEST_MS) return void this.#kept.delete(key);
    kept.usedAt = performance.now();
    return kept;
  }

  /** Keeps a schema as the database returned it just now; returns the kept one if that is the same. */
  keep(key: string, text: string | undefined): Schema {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.text === text) return kept.schema;
    const schema = this.#read(text);
    if (text !== undefined) this.#kept.set(key, { text, schema, usedAt: performance.now() });
    return schema;
  }
}

/** Returns what finds the memory of a database. `read` reads a schema; without a text, the project is gone. */
export function memoryOf<Schema>(
  read: (text: string | undefined) => Schema,
): (db: Pick<Database, "connections">) => SchemaMemory<Schema> {
  const memories = new WeakMap<Database["connections"], SchemaMemory<Schema>>();
  return ({ connections }) => {
    const known = memories.get(connections) ?? new SchemaMemory(read);
    memories.set(connections, known);
    return known;
  };
}
