import type { Database } from "../../db/pool/database.ts";
import { Recent } from "../../db/wire/recent.ts";
import { type ProjectSchema, type SchemaText, schemaOf } from "../fields/project-schema.ts";

const MOST = 1_000;
/** Views in it may name people, so what was not used for so long is forgotten, in milliseconds. */
const LONGEST_MS = 10 * 60_000;

interface Kept {
  text: string;
  schema: ProjectSchema;
  usedAt: number;
}

/**
 * Keeps what was read of projects' schemas, so that a page and its schema are asked for in one message. The database
 * returns the schema each time, behind the page; a page that was planned by another one is asked for again.
 */
class SchemaMemory {
  readonly #kept = new Recent<string, Kept>(MOST);

  /** Returns a kept schema. */
  get(key: string): ProjectSchema | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (performance.now() - kept.usedAt > LONGEST_MS) return void this.#kept.delete(key);
    kept.usedAt = performance.now();
    return kept.schema;
  }

  /** Keeps a schema as the database returned it just now; returns the kept one if that is the same. */
  keep(key: string, row: SchemaText | undefined): ProjectSchema {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.text === row?.schema) return kept.schema;
    const schema = schemaOf(row);
    if (row !== undefined) this.#kept.set(key, { text: row.schema, schema, usedAt: performance.now() });
    return schema;
  }
}

const MEMORIES = new WeakMap<Database["connections"], SchemaMemory>();

/** Returns what is kept of the schemas in this database. */
export function schemasIn({ connections }: Pick<Database, "connections">): SchemaMemory {
  const known = MEMORIES.get(connections) ?? new SchemaMemory();
  MEMORIES.set(connections, known);
  return known;
}
