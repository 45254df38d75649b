import type { ProjectSchema } from "../../fields/project-schema.ts";
import type { LeadConditions } from "./lead-conditions.ts";
import type { Near } from "./near-sql.ts";
import { leadSource, type PageSource } from "./page-sql.ts";
import { isByRelevance, relevanceOf } from "./relevance-sql.ts";
import { hasOwnOrder, orderedSource, type SortKey, type SortOrder, sortKeys } from "./sort-sql.ts";

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
  /** Whether a short walk comes first, as all candidates must be found before it is known how many they are. */
  later: boolean;
  way: Way;
}

/** How the leads of a page are found: in a walk in their order, unless there are few candidates or a short walk is enough. */
export interface LeadPage extends Way {
  few: Few | undefined;
  near: Near | undefined;
  /** The indexes of fields that it uses. */
  ids: readonly number[];
}

/** The most candidates, whatever the project's size. */
const MOST = 16_384;

/** Pages of more leads, with those before them, do not try a short walk. */
const LONGEST = 1_001;

/** Returns how a page is read: `rows` is how many leads of it are read at most. `isLater` is that it starts behind a lead. */
export function leadPage(
  { scope, where, candidates, walked, isAll, bounds, near, asked, similar }: LeadConditions,
  sort: readonly SortOrder[] | undefined,
  schema: ProjectSchema,
  rows: number,
  isLater = false,
): LeadPage {
  if (isByRelevance(sort, asked))
    return {
      ...relevanceOf({ words: asked, similar }, where, scope),
      few: undefined,
      near: undefined,
      ids: [],
    };
  const source = leadSource(scope);
  const ordered = orderedSource(sort, schema, scope, bounds);
  const ids = [...(candidates?.ids ?? []), ...(ordered === undefined ? [] : [ordered.id])];
  // Matches that are few would make a walk through the order of a field long. Their order keeps the planner from reading
  // the table of all projects until there are enough.
  const matches = `SELECT id FROM lead WHERE ${where} ORDER BY created_at DESC, id`;
  const sql = candidates?.sql() ?? (ordered === undefined || isAll ? undefined : matches);
  const keys = ordered === undefined || sql !== undefined ? sortKeys(sort, schema, scope) : [];
  const walk: Way = { source: ordered?.source ?? source, where: walked, keys: ordered?.keys ?? keys };
  const isShort = ordered === undefined && rows <= LONGEST && hasShortWalk(sort, isLater);
  const others = { ids, near: isShort ? near() : undefined };
  if (sql === undefined) return { ...walk, few: undefined, ...others };
  const most = mostCandidates(candidates?.leads ?? ordered?.leads ?? 0, rows);
  const later = candidates?.whole ?? false;
  return { ...walk, few: { sql, most, later, way: { source, where, keys } }, ...others };
}

/** Whether an index of leads has the order. Behind a lead, those without a value would be a section of their own. */
const hasShortWalk = (sort: readonly SortOrder[] = [], isLater: boolean): boolean =>
  sort.every((each, i) => i === 0 && hasOwnOrder(each) && !(isLater && each.field === "score"));

/**
 * How many candidates cost as much as a walk to the end of the page: as many leads are fetched for them as the walk
 * passes if they are spread evenly. A power of two, so that statements have few shapes.
 */
function mostCandidates(leads: number, rows: number): number {
  const even = Math.sqrt(Math.max(1, leads) * Math.max(1, rows));
  return Math.min(MOST, 2 ** Math.floor(Math.log2(even)));
}
