import { Refusal } from "../../core/refusal.ts";
import { NO_PROJECT_SCHEMA, type ProjectSchema, projectSchema } from "../fields/project-schema.ts";
import { type MemberContext, refuse } from "../operation/operation.ts";
import { checkTimezone } from "../values/timezone.ts";
import { readFilter } from "./read/read-filter.ts";
import { estimateEvents } from "./sql/estimate-events.ts";
import type { LeadSelection } from "./sql/lead-conditions.ts";
import { measureFilter } from "./tree/measure-filter.ts";

/**
 * Runs `plan` with the part of the project schema that the selection or `names` need. Input errors are reported
 * only to authorized callers.
 */
export async function withSchema<Plan>(
  context: MemberContext,
  selection: LeadSelection,
  plan: (schema: ProjectSchema) => Plan,
  names: readonly string[] = [],
): Promise<Plan> {
  try {
    return plan(await schemaFor(context, selection, names));
  } catch (error) {
    if (error instanceof Refusal && error.kind === "malformed") return await refuse(context.db, error);
    throw error;
  }
}

/** Reads what a selection needs of its project. Refuses (400) one that is too large or has unknown names. */
export async function schemaFor(
  { db, caller }: MemberContext,
  { filter, timezone }: LeadSelection,
  names: readonly string[] = [],
): Promise<ProjectSchema> {
  if (timezone !== undefined) checkTimezone(timezone);
  const measure = measureFilter(filter);
  const asks =
    measure.needsSchema ||
    measure.views.length + measure.datasets.length > 0 ||
    names.some((name) => name.startsWith("custom."));
  const schema = asks ? await projectSchema(db, caller.projectId, measure) : NO_PROJECT_SCHEMA;
  const whole = measure.views.length > 0 ? measureFilter(filter, "$.filter", schema.views) : measure;
  if (whole.events === 0) return schema;
  const events = await estimateEvents(db, caller.projectId, timezone, readFilter(filter, schema));
  return { ...schema, events };
}
