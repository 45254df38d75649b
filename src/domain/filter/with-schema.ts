import { Refusal } from "../../core/refusal.ts";
import type { ProjectDb, QueryOptions } from "../../db/pool/project-db.ts";
import {
  type EventEstimates,
  NO_PROJECT_SCHEMA,
  type ProjectSchema,
  projectSchemas,
  type SchemaText,
  schemaStatement,
} from "../fields/project-schema.ts";
import { type MemberContext, refuse } from "../operation/operation.ts";
import { warn } from "../operation/service/warn.ts";
import { checkTimezone, zoneUnknown } from "../values/timezone.ts";
import { asksForIndexes } from "./asks-for-indexes.ts";
import { deletedConditions, settleDeleted } from "./deleted-conditions.ts";
import { noteFilter } from "./note-filter.ts";
import { readFilter } from "./read/read-filter.ts";
import type { UnknownOption } from "./read/read-option.ts";
import { heldByNone, settleUnknown } from "./settle-unknown.ts";
import { estimateEvents, eventsIn } from "./sql/estimate-events.ts";
import type { LeadSelection } from "./sql/lead-conditions.ts";
import type { EventCondition } from "./tree/filter.ts";
import { type FilterMeasure, measureFilter } from "./tree/measure-filter.ts";
import { type AskedTypes, unseenTypes } from "./unseen-types.ts";

/**
 * Runs `plan` with the part of the project schema that the selection or `names` need, without the indexes of fields if these do
 * not have the leads, which are deleted. Input errors are reported only to authorized callers.
 */
export async function withSchema<Plan>(
  context: MemberContext,
  selection: LeadSelection,
  plan: (schema: ProjectSchema) => Plan,
  names: readonly string[] = [],
): Promise<Plan> {
  try {
    const schema = await schemaFor(context, selection, names);
    noteFilter(context, selection, schema);
    return plan(selection.deleted === true ? { ...schema, indexes: NO_PROJECT_SCHEMA.indexes } : schema);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "malformed") return await refuse(context.db, error);
    throw error;
  }
}

/** Sends a statement that was planned with a schema. */
type Send = <Row>(text: string, values: readonly unknown[], options?: QueryOptions) => Promise<Row[]>;

/**
 * The same, and lets `run` send what was planned. If the schema was read before, the plan is made with that one, and the
 * database returns the present one behind the answer; if it is another one, everything is done again with it.
 */
export async function askWithSchema<Plan, Answer>(
  context: MemberContext,
  selection: LeadSelection,
  plan: (schema: ProjectSchema) => Plan,
  run: (plan: Plan, send: Send) => Promise<Answer>,
  names: readonly string[] = [],
): Promise<Answer> {
  const { service, db, caller } = context;
  const known = plannedBefore(context, selection, plan, names);
  if (known !== undefined) {
    const { schema, need } = known;
    noteFilter(context, selection, schema);
    const check = schemaStatement(caller.projectId, need.measure);
    const send: Send = async <Row>(text: string, values: readonly unknown[], options?: QueryOptions) => {
      const answer = await db.queryAndCheck<Row, SchemaText>(text, values, check, options).catch(zoneUnknown);
      if (projectSchemas(service.db).keep(need.key, answer.checked[0]?.schema) !== schema)
        throw new SchemaChanged();
      return answer.rows;
    };
    try {
      return await run(known.plan, send);
    } catch (error) {
      if (!(error instanceof SchemaChanged)) throw error;
    }
  }
  const fresh = await withSchema(context, selection, plan, names);
  return await run(
    fresh,
    async <Row>(text: string, values: readonly unknown[], options?: QueryOptions) =>
      await db.query<Row>(text, values, options).catch(zoneUnknown),
  );
}

class SchemaChanged extends Error {}

/** What a selection needs to know of its project. */
interface Need {
  measure: FilterMeasure;
  /** Whether the schema is needed. */
  asks: boolean;
  /** The name of this part of the project's schema. */
  key: string;
}

/** Refuses (400) a filter that is too large. */
function needOf(projectId: string, { filter }: LeadSelection, names: readonly string[]): Need {
  const measure = measureFilter(filter);
  const { views, datasets, needsSchema } = measure;
  const asks =
    needsSchema ||
    views.length + datasets.length > 0 ||
    names.some((name) => name.startsWith("custom.")) ||
    asksForIndexes(filter, names);
  return { measure, asks, key: JSON.stringify([projectId, views, datasets]) };
}

/** Plans with a schema that was read before, if nothing else has to be looked up and nothing is refused. */
function plannedBefore<Plan>(
  { service, caller }: MemberContext,
  selection: LeadSelection,
  plan: (schema: ProjectSchema) => Plan,
  names: readonly string[],
): { plan: Plan; schema: ProjectSchema; need: Need } | undefined {
  const { filter, timezone, deleted = false } = selection;
  try {
    if (timezone !== undefined) checkTimezone(timezone);
    const need = needOf(caller.projectId, selection, names);
    const schema = need.asks ? projectSchemas(service.db).get(need.key)?.schema : undefined;
    if (schema === undefined || deleted || deletedConditions(filter).length > 0) return undefined;
    const { views } = schema;
    const { events } =
      need.measure.views.length > 0 ? measureFilter(filter, "$.filter", views) : need.measure;
    if (events > 0) return undefined;
    const unknown: UnknownOption[] = [];
    if (filter !== undefined) readFilter(filter, schema, unknown);
    return unknown.length > 0 ? undefined : { plan: plan(schema), schema, need };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Reads what a selection needs of its project. Refuses (400) one that is too large or has unknown names. */
export async function schemaFor(
  { service, db, caller }: MemberContext,
  selection: LeadSelection,
  names: readonly string[] = [],
): Promise<ProjectSchema> {
  const { filter, timezone } = selection;
  if (timezone !== undefined) checkTimezone(timezone);
  const { measure, asks, key } = needOf(caller.projectId, selection, names);
  settleDeleted(service, selection);
  const schema = asks ? await readSchema(service, db, caller.projectId, measure, key) : NO_PROJECT_SCHEMA;
  const whole = measure.views.length > 0 ? measureFilter(filter, "$.filter", schema.views) : measure;
  if (filter === undefined || (!asks && whole.events === 0)) return schema;
  const unknown: UnknownOption[] = [];
  const read = readFilter(filter, schema, unknown);
  settleUnknown(service, await heldByNone(db, caller.projectId, unknown));
  if (whole.events === 0) return schema;
  const events = await estimateEvents(db, service.db, caller.projectId, timezone, read);
  warn(service, await unseenTypes(db, caller.projectId, doubtful(eventsIn(read), events)));
  return { ...schema, events };
}

async function readSchema(
  service: Pick<MemberContext["service"], "db">,
  db: ProjectDb,
  projectId: string,
  names: FilterMeasure,
  key: string,
): Promise<ProjectSchema> {
  const { text, values } = schemaStatement(projectId, names);
  const [row] = await db.query<SchemaText>(text, values, { prepare: true });
  return projectSchemas(service.db).keep(key, row?.schema);
}

/** The conditions whose types may never have happened: if some of its only type did, nothing has to be looked up. */
const doubtful = (conditions: readonly EventCondition[], { events }: EventEstimates): AskedTypes[] =>
  conditions
    .filter(({ path, types }) => types.length > 1 || (events.get(path) ?? 0) === 0)
    .map(({ path, types }) => ({ path: `${path}.type`, types }));

/** The custom fields among the shown ones: only they have to be looked up to be shown. */
export const customOf = (fields: readonly string[] = []): string[] =>
  fields.filter((name) => name.startsWith("custom."));
