import type { CellType } from "../../contract/lists/column-types.ts";
import type { InputType } from "../../contract/lists/lead-fields.ts";
import { WRITABLE } from "../../contract/lists/written-fields.ts";
import type { ProjectDb } from "../../db/pool/database.ts";

/** What is needed of a project to read a lead that a caller writes. */
export interface WritingSchema {
  country: string | null;
  /** The zone in which a plain day starts. */
  timezone: string;
  statuses: readonly string[];
  custom: ReadonlyMap<string, { type: CellType; options: readonly string[] }>;
  /** The people who may own a lead. */
  members: ReadonlySet<string>;
  /** The time by the database's clock. */
  now: Date;
}

/** For leads without project-specific values. */
const NO_WRITING_SCHEMA: WritingSchema = {
  country: null,
  timezone: "UTC",
  statuses: [],
  custom: new Map(),
  members: new Set(),
  now: new Date(0),
};

interface SchemaRow {
  country: string | null;
  timezone: string;
  statuses: string[];
  fields: { key: string; type: CellType; options: string[] }[];
  members: string[];
  now: Date;
}

const SCHEMA = `SELECT default_country AS country, timezone, statuses,
  (SELECT coalesce(json_agg(json_build_object('key', key, 'type', type, 'options', options)), '[]')
     FROM custom_field WHERE project_id = $1) AS fields,
  ARRAY(SELECT person_id FROM membership WHERE project_id = $1) AS members, moment() AS now
  FROM project WHERE project_id = $1`;

const written = (...types: InputType[]): string[] =>
  [...WRITABLE].flatMap(([name, type]) => (types.includes(type) ? [name] : []));

const ASKING = [...written("enum", "phone", "owner"), "custom", "created_at"];
/** Those of leads, and the time of an event. */
const TIMES = [...written("datetime"), "occurred_at"];
const DAY_LENGTH = "2026-03-31".length;

/** Reads what these leads or events need of their project, or nothing if they have no project-specific values. */
export async function writingSchema(
  db: ProjectDb,
  projectId: string,
  given: readonly unknown[],
): Promise<WritingSchema> {
  if (!given.some(asksTheProject)) return NO_WRITING_SCHEMA;
  const [row] = await db.query<SchemaRow>(SCHEMA, [projectId], { prepare: true });
  if (row === undefined) return NO_WRITING_SCHEMA;
  return {
    country: row.country,
    timezone: row.timezone,
    statuses: row.statuses,
    custom: new Map(row.fields.map(({ key, type, options }) => [key, { type, options }])),
    members: new Set(row.members),
    now: row.now,
  };
}

function asksTheProject(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return false;
  if (ASKING.some((field) => field in given)) return true;
  const values = given as Record<string, unknown>;
  return TIMES.some((field) => {
    const value = values[field];
    return typeof value === "string" && value.trim().length === DAY_LENGTH;
  });
}
