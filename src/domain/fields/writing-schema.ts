import { DatabaseError } from "pg";
import type { CellType } from "../../contract/lists/column-types.ts";
import type { InputType } from "../../contract/lists/lead-fields.ts";
import { WRITABLE } from "../../contract/lists/written-fields.ts";
import type { Database, ProjectDb } from "../../db/pool/database.ts";
import type { Statement } from "../../db/wire/statement-batch.ts";
import { memoryOf } from "./schema-memory.ts";

/** What is needed of a project to read a lead that a caller writes. */
export interface WritingSchema {
  country: string | null;
  /** The zone in which a plain day starts. */
  timezone: string;
  statuses: readonly string[];
  custom: ReadonlyMap<string, { type: CellType; options: readonly string[] }>;
  /** The people who may own a lead. */
  members: ReadonlySet<string>;
  /** Whether an update must not give a lead an address that another one has. */
  refusesShared: boolean;
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
  refusesShared: false,
  now: new Date(0),
};

interface SchemaRow {
  country: string | null;
  timezone: string;
  statuses: string[];
  fields: { key: string; type: CellType; options: string[] }[];
  members: string[];
  refuses_shared: boolean;
}

const SCHEMA = `SELECT row_to_json(schema)::text FROM (SELECT default_country AS country, timezone, statuses, refuses_shared,
  (SELECT coalesce(json_agg(json_build_object('key', key, 'type', type, 'options', options) ORDER BY key), '[]')
     FROM custom_field WHERE project_id = $1) AS fields,
  ARRAY(SELECT person_id FROM membership WHERE project_id = $1 ORDER BY person_id) AS members
  FROM project WHERE project_id = $1) AS schema`;

const READ = `SELECT (${SCHEMA}) AS schema, moment() AS now`;
/** Fails unless the schema is still the same. */
const CHECK = `SELECT must_equal((${SCHEMA}), $2)`;

/** The same for writes that need nothing else of the project. */
const CHECK_SHARED =
  "SELECT must_equal((SELECT refuses_shared::text FROM project WHERE project_id = $1), $2)";

const schemas = memoryOf(schemaOf);

const written = (...types: InputType[]): string[] =>
  [...WRITABLE].flatMap(([name, type]) => (types.includes(type) ? [name] : []));

const ASKING = [...written("enum", "phone", "phones", "owner"), "custom", "created_at"];
/** What a project may refuse if another lead has it. */
const ADDRESSES = written("email", "emails");
/** Those of leads, and the time of an event. */
const TIMES = [...written("datetime"), "occurred_at"];
const DAY_LENGTH = "2026-03-31".length;

/**
 * Reads what these leads or events need of their project, or nothing if they have no project-specific values. `gives` is for writes of
 * addresses that the project may refuse.
 */
export async function writingSchema(
  { service, db }: { service: { db: Database }; db: ProjectDb },
  projectId: string,
  given: readonly unknown[],
  gives: "addresses" | undefined = undefined,
): Promise<WritingSchema> {
  if (!given.some((each) => asksTheProject(each, gives))) return NO_WRITING_SCHEMA;
  const [row] = await db.query<{ schema: string | null; now: Date }>(READ, [projectId], { prepare: true });
  if (row === undefined || row.schema === null) return NO_WRITING_SCHEMA;
  return { ...schemas(service.db).keep(projectId, row.schema), now: row.now };
}

/**
 * Returns the schema that was read last, and the statement that fails unless it is still the same, to be sent ahead of what
 * writes; undefined if it must be read.
 */
export function knownWritingSchema(
  service: { db: Database },
  projectId: string,
  given: readonly unknown[],
  gives: "addresses" | undefined = undefined,
): { schema: WritingSchema; check: readonly Statement[] } | undefined {
  if (!given.some((each) => asksTheProject(each, gives))) return { schema: NO_WRITING_SCHEMA, check: [] };
  const known = given.some(asksTheTime) ? undefined : schemas(service.db).get(projectId);
  if (known !== undefined && !given.some((each) => asksTheProject(each, undefined))) {
    const { refusesShared } = known.schema;
    const check = { text: CHECK_SHARED, values: [projectId, String(refusesShared)] };
    return { schema: { ...NO_WRITING_SCHEMA, refusesShared }, check: [check] };
  }
  return known && { schema: known.schema, check: [{ text: CHECK, values: [projectId, known.text] }] };
}

/** Whether a write failed because the schema was no longer the same. */
export const isOtherSchema = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "LG001";

function schemaOf(text: string | undefined): WritingSchema {
  if (text === undefined) return NO_WRITING_SCHEMA;
  const {
    country,
    timezone,
    statuses,
    fields,
    members,
    refuses_shared: refusesShared,
  } = JSON.parse(text) as SchemaRow;
  return {
    ...{ country, timezone, statuses, refusesShared, now: NO_WRITING_SCHEMA.now },
    custom: new Map(fields.map(({ key, type, options }) => [key, { type, options }])),
    members: new Set(members),
  };
}

const asksTheTime = (given: unknown): boolean =>
  typeof given === "object" && given !== null && "created_at" in given;

function asksTheProject(given: unknown, gives: "addresses" | undefined): boolean {
  if (typeof given !== "object" || given === null) return false;
  if (ASKING.some((field) => field in given)) return true;
  if (gives !== undefined && ADDRESSES.some((field) => field in given)) return true;
  const values = given as Record<string, unknown>;
  return TIMES.some((field) => {
    const value = values[field];
    return typeof value === "string" && value.trim().length === DAY_LENGTH;
  });
}
