import type { ViewQuery } from "../../contract/leads/query.ts";
import { type Fault, malformed, notFound, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { leadColumns } from "../fields/lead-columns.ts";
import { projectSchema } from "../fields/project-schema.ts";
import { deletedConditions } from "../filter/deleted-conditions.ts";
import { readFilter } from "../filter/read/read-filter.ts";
import { type UnknownOption, unknownOptionFault } from "../filter/read/read-option.ts";
import { heldByNone, MOST_LISTED } from "../filter/settle-unknown.ts";
import { eventsIn } from "../filter/sql/estimate-events.ts";
import { leadConditions } from "../filter/sql/lead-conditions.ts";
import { sortKeys } from "../filter/sql/sort-sql.ts";
import { measureFilter } from "../filter/tree/measure-filter.ts";
import { unseenTypes } from "../filter/unseen-types.ts";
import { bad, cleanText } from "../values/bad-input.ts";
import { isCurrent, type Version } from "../values/version.ts";

/** A saved view as JSON text, from a row called `v`. */
export const VIEW_JSON = `json_build_object('id', v.id, 'name', v.name, 'query', v.query, 'created_by', v.created_by,
  'version', v.version, 'created_at', v.created_at, 'updated_at', v.updated_at)::text`;

/** SQL for what changes keep of a saved view, from a row called `v`. */
export const VIEW_DEFINITION = `jsonb_build_object('name', v.name, 'query', v.query, 'created_by', v.created_by,
  'created_at', v.created_at)`;

/** A saved view as changes keep it. */
export interface ViewDefinition {
  name: string;
  query: ViewQuery;
  created_by: object;
  created_at: string;
}

/** The maximum number of saved views in a project. */
export const MOST_VIEWS = 1_000;

/** A view as text, and its version for ETag. */
export interface ViewRecord {
  id: string;
  version: number;
  json: string;
}

const LOCK = `SELECT version, ${VIEW_DEFINITION} AS definition FROM saved_view v WHERE project_id = $1 AND id = $2 FOR UPDATE`;

/** A view under its lock. */
interface LockedView {
  version: number;
  definition: ViewDefinition;
}

/** Locks a view and returns it; undefined if it does not exist. */
export async function lockView(
  tx: Pick<Transaction, "query">,
  projectId: string,
  id: string,
): Promise<LockedView | undefined> {
  return (await tx.query<LockedView>(LOCK, [projectId, id]))[0];
}

/** Locks a view that is to be changed, and returns it; 404 if it does not exist, 412 if its version is not the given one. */
export async function lockedView(
  tx: Pick<Transaction, "query">,
  projectId: string,
  id: string,
  version: Version | undefined,
): Promise<LockedView> {
  const view = await lockView(tx, projectId, id);
  if (view === undefined) throw notFound("view");
  if (isCurrent(version, view.version)) return view;
  const message = `The view is now at version ${view.version}. Read it again, then change it.`;
  throw new Refusal("stale", "stale", message, {
    faults: [{ path: "version", code: "stale", message: String(view.version) }],
  });
}

/** Returns a name in the form that is stored. */
export function readName(name: string): string {
  const text = cleanText(name, "$.name").trim();
  return text === "" ? bad("$.name", "required", "must not be empty") : text;
}

/**
 * Allows one writer of views at a time in a project, so that concurrent writers cannot create a cycle or delete a
 * view that is being used, and an undo puts nothing back that is being erased.
 */
export async function lockViews(tx: Pick<Transaction, "query">, projectId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7237004))", [projectId]);
}

/** The view that a query replaces. */
interface Replaced {
  id: string;
  query: unknown;
}

/**
 * Refuses a query that is invalid, with paths under `$.query`, or that contains the view that it replaces. A value that
 * is no option is refused too, unless the replaced query has it: its option may have been removed since. Returns what
 * is doubtful, for `warn`.
 */
export async function checkQuery(
  tx: Transaction,
  projectId: string,
  query: ViewQuery,
  replaced?: Replaced,
): Promise<Fault[]> {
  const pathed = (faults: readonly Fault[]) =>
    faults.map((fault) => ({ ...fault, path: fault.path.replace(/^\$/, "$.query") }));
  try {
    const measure = measureFilter(query.filter);
    const hidden = deletedConditions(query.filter);
    if (hidden.length > 0 && deletedConditions(filterOf(replaced?.query)).length === 0)
      throw malformed(hidden);
    const schema = await projectSchema(tx, projectId, measure);
    measureFilter(query.filter, "$.filter", schema.views);
    if (replaced !== undefined && schema.views.has(replaced.id))
      bad("$.filter", "view_in_itself", "must not refer to this view itself");
    const { scope } = leadConditions(projectId, query, schema);
    sortKeys(query.sort, schema, scope);
    leadColumns(query.fields, schema);
    if (query.filter === undefined) return [];
    const unknown: UnknownOption[] = [];
    const read = readFilter(query.filter, schema, unknown);
    const before = comparedIn(replaced?.query);
    const fresh = unknown.filter(
      ({ field, value, view }) => view === undefined && !before.has(comparison(field.name, value)),
    );
    const refused = await heldByNone(tx, projectId, fresh);
    if (refused.length > 0) throw malformed(refused.map(unknownOptionFault));
    const asked = eventsIn(read).map(({ path, types }) => ({ path: `${path}.type`, types }));
    const doubts = [
      ...unknown.slice(0, MOST_LISTED).map(unknownOptionFault),
      ...(await unseenTypes(tx, projectId, asked)),
    ];
    return pathed(doubts);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
    throw malformed(pathed(error.faults));
  }
}

const filterOf = (stored: unknown): unknown => (stored as { filter?: unknown } | undefined)?.filter;

const comparison = (field: string, value: string): string => JSON.stringify([field, value]);

/** The comparisons of fields with strings in a stored query, which is at most eight groups deep. */
function comparedIn(stored: unknown, found = new Set<string>()): Set<string> {
  if (typeof stored !== "object" || stored === null) return found;
  const { field, value } = stored as { field?: unknown; value?: unknown };
  for (const one of Array.isArray(value) ? value : [value])
    if (typeof field === "string" && typeof one === "string") found.add(comparison(field, one));
  for (const part of Object.values(stored)) comparedIn(part, found);
  return found;
}
