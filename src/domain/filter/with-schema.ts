import { Refusal } from "../../core/refusal.ts";
import { NO_PROJECT_SCHEMA, type ProjectSchema, projectSchema } from "../fields/project-schema.ts";
import { type MemberContext, refuse } from "../operation/operation.ts";
import { checkTimezone } from "../values/timezone.ts";
import { readFilter } from "./read/read-filter.ts";
import { estimateEvents } from "./sql/estimate-events.ts";
import type { LeadSelection } from "./sql/lead-conditions.ts";
import { measureFilter } from "./tree/measure-filter.ts";

/**
 * Plans with what the selection asks of its project. Round trips: none for fields of every lead; one where it, or
 * one of `names`, is a custom field, a view or a phone number without its country; one more for event
 * conditions. A bad input is refused after the door has had its say about the caller.
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

/** What reading a selection has to know of its project; 400 where it is too large or names what is not there. */
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
