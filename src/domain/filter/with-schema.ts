import { Refusal } from "../../core/refusal.ts";
import {
  type EventEstimates,
  NO_PROJECT_SCHEMA,
  type ProjectSchema,
  projectSchema,
} from "../fields/project-schema.ts";
import { type MemberContext, refuse } from "../operation/operation.ts";
import { warn } from "../operation/service/warn.ts";
import { checkTimezone } from "../values/timezone.ts";
import { asksForIndexes } from "./asks-for-indexes.ts";
import { settleDeleted } from "./deleted-conditions.ts";
import { readFilter } from "./read/read-filter.ts";
import type { UnknownOption } from "./read/read-option.ts";
import { heldByNone, settleUnknown } from "./settle-unknown.ts";
import { estimateEvents, eventsIn } from "./sql/estimate-events.ts";
import type { LeadSelection } from "./sql/lead-conditions.ts";
import type { EventCondition } from "./tree/filter.ts";
import { measureFilter } from "./tree/measure-filter.ts";
import { type AskedTypes, unseenTypes } from "./unseen-types.ts";

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
  { service, db, caller }: MemberContext,
  { filter, timezone }: LeadSelection,
  names: readonly string[] = [],
): Promise<ProjectSchema> {
  if (timezone !== undefined) checkTimezone(timezone);
  const measure = measureFilter(filter);
  settleDeleted(service, filter);
  const asks =
    measure.needsSchema ||
    measure.views.length + measure.datasets.length > 0 ||
    names.some((name) => name.startsWith("custom.")) ||
    asksForIndexes(filter, names);
  const schema = asks ? await projectSchema(db, caller.projectId, measure) : NO_PROJECT_SCHEMA;
  const whole = measure.views.length > 0 ? measureFilter(filter, "$.filter", schema.views) : measure;
  if (filter === undefined || (!asks && whole.events === 0)) return schema;
  const unknown: UnknownOption[] = [];
  const read = readFilter(filter, schema, unknown);
  settleUnknown(service, await heldByNone(db, caller.projectId, unknown));
  if (whole.events === 0) return schema;
  const events = await estimateEvents(db, caller.projectId, timezone, read);
  warn(service, await unseenTypes(db, caller.projectId, doubtful(eventsIn(read), events)));
  return { ...schema, events };
}

/** The conditions whose types may never have happened: if some of its only type did, nothing has to be looked up. */
const doubtful = (conditions: readonly EventCondition[], { events }: EventEstimates): AskedTypes[] =>
  conditions
    .filter(({ path, types }) => types.length > 1 || (events.get(path) ?? 0) === 0)
    .map(({ path, types }) => ({ path: `${path}.type`, types }));

/** The custom fields among the shown ones: only they have to be looked up to be shown. */
export const customOf = (fields: readonly string[] = []): string[] =>
  fields.filter((name) => name.startsWith("custom."));
