import { type Static, Type } from "typebox";
import { malformed, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { leadColumns } from "../fields/lead-columns.ts";
import { projectFacts } from "../fields/project-facts.ts";
import { LeadsQuery } from "../filter/leads-query.ts";
import { leadConditions } from "../filter/sql/lead-conditions.ts";
import { sortKeys } from "../filter/sql/sort-sql.ts";
import { outlineOf } from "../filter/tree/filter-outline.ts";
import { bad, cleanText } from "../values/bad-input.ts";

const { filter, search, sort, fields, timezone } = LeadsQuery.properties;

export const ViewQuery = Type.Object(
  { filter, search, sort, fields, timezone },
  { additionalProperties: false, description: "As POST /api/v1/leads/search has it." },
);

export const ViewName = Type.String({ minLength: 1, maxLength: 200 });

/** A name as it is kept. */
export function readName(name: string): string {
  const text = cleanText(name, "$.name").trim();
  return text === "" ? bad("$.name", "required", "must not be empty") : text;
}

/** One writer of views at a time in a project, so that no two of them close a circle or pull a view from under another. */
export async function lockViews(tx: Transaction, projectId: string): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7237004))", [projectId]);
}

/** Refuses a query that could not be asked now, with paths under `$.query`, and one that would hold the view `own` itself. */
export async function checkQuery(
  tx: Transaction,
  projectId: string,
  query: Static<typeof ViewQuery>,
  own?: string,
): Promise<void> {
  try {
    const outline = outlineOf(query.filter);
    const facts = await projectFacts(tx, projectId, outline);
    outlineOf(query.filter, "$.filter", facts.views);
    if (own !== undefined && facts.views.has(own)) bad("$.filter", "view_in_itself", "holds this very view");
    const { scope } = leadConditions(projectId, query, facts);
    sortKeys(query.sort, facts, scope);
    leadColumns(query.fields, facts);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
    throw malformed(error.faults.map((fault) => ({ ...fault, path: fault.path.replace(/^\$/, "$.query") })));
  }
}
