import type { ProjectSchema } from "../../fields/project-schema.ts";
import type { LeadConditions } from "./lead-conditions.ts";
import { leadSource, type PageSource } from "./page-sql.ts";
import { orderedSource, type SortKey, type SortOrder, sortKeys } from "./sort-sql.ts";

/** A way to read leads in an order. */
export interface Way {
  source: PageSource;
  where: string;
  keys: readonly SortKey[];
}

/** Candidates of a page: if there are no more than `most`, its leads are sorted among them. */
export interface Few {
  /** A query for their ids. */
  sql: string;
  most: number;
  way: Way;
}

/** How the leads of a page are found: by a walk in their order, unless there are few candidates. */
export interface LeadPage extends Way {
  few: Few | undefined;
  /** The indexes of fields that it uses. */
  ids: readonly number[];
}

/** The most candidates, whatever the project's size. */
const MOST = 16_384;

/** Returns how a page is read: `rows` is how many leads of it are read at most. */
export function leadPage(
  { scope, where, candidates, walked, isAll }: LeadConditions,
  sort: readonly SortOrder[] | undefined,
  schema: ProjectSchema,
  rows: number,
): LeadPage {
  const source = leadSource(scope);
  const ordered = orderedSource(sort, schema, scope);
  const ids = [...(candidates?.ids ?? []), ...(ordered === undefined ? [] : [ordered.id])];
  // Matches that are few would make a walk through the order of a field long. Their order keeps the planner from reading
  // the table of all projects until there are enough.
  const matches = `SELECT id FROM lead WHERE ${where} ORDER BY created_at DESC, id`;
  const sql = candidates?.sql() ?? (ordered === undefined || isAll ? undefined : matches);
  const keys = ordered === undefined || sql !== undefined ? sortKeys(sort, schema, scope) : [];
  const walk: Way = { source: ordered?.source ?? source, where: walked, keys: ordered?.keys ?? keys };
  if (sql === undefined) return { ...walk, few: undefined, ids };
  const most = mostCandidates(candidates?.leads ?? ordered?.leads ?? 0, rows);
  return { ...walk, ids, few: { sql, most, way: { source, where, keys } } };
}

/**
 * How many candidates cost as much as a walk to the end of the page: as many leads are fetched for them as the walk
 * passes if they are spread evenly. A power of two, so that statements have few shapes.
 */
function mostCandidates(leads: number, rows: number): number {
  const even = Math.sqrt(Math.max(1, leads) * Math.max(1, rows));
  return Math.min(MOST, 2 ** Math.floor(Math.log2(even)));
}
