import type { ViewQuery } from "../../contract/nouns/query.ts";
import { malformed, notFound, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { leadColumns } from "../fields/lead-columns.ts";
import { projectSchema } from "../fields/project-schema.ts";
import { leadConditions } from "../filter/sql/lead-conditions.ts";
import { sortKeys } from "../filter/sql/sort-sql.ts";
import { measureFilter } from "../filter/tree/measure-filter.ts";
import { bad, cleanText } from "../values/bad-input.ts";

/** A saved view as JSON text, from a row called `v`. */
export const VIEW_JSON = `json_build_object('id', v.id, 'name', v.name, 'query', v.query, 'created_by', v.created_by,
  'version', v.version, 'created_at', v.created_at, 'updated_at', v.updated_at)::text`;

/** A view as text, and its version for ETag. */
export interface ViewRecord {
  id: string;
  version: number;
  json: string;
}

const LOCK = "SELECT version FROM saved_view WHERE project_id = $1 AND id = $2 FOR UPDATE";

/** Locks a view that is to be changed; 404 if it does not exist, 412 if its version is not the given one. */
export async function lockedView(
  tx: Transaction,
  projectId: string,
  id: string,
  version: number | undefined,
): Promise<void> {
  const [view] = await tx.query<{ version: number }>(LOCK, [projectId, id]);
  if (view === undefined) throw notFound("view");
  if (version === undefined || version === view.version) return;
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
 * view that is being used.
 */
export async function lockViews(tx: Transaction, projectId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7237004))", [projectId]);
}

/** Refuses a query that is invalid, with paths under `$.query`, or that contains the view `own` itself. */
export async function checkQuery(
  tx: Transaction,
  projectId: string,
  query: ViewQuery,
  own?: string,
): Promise<void> {
  try {
    const measure = measureFilter(query.filter);
    const schema = await projectSchema(tx, projectId, measure);
    measureFilter(query.filter, "$.filter", schema.views);
    if (own !== undefined && schema.views.has(own))
      bad("$.filter", "view_in_itself", "must not refer to this view itself");
    const { scope } = leadConditions(projectId, query, schema);
    sortKeys(query.sort, schema, scope);
    leadColumns(query.fields, schema);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
    throw malformed(error.faults.map((fault) => ({ ...fault, path: fault.path.replace(/^\$/, "$.query") })));
  }
}
