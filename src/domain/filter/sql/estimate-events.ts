import type { ProjectDb } from "../../../db/pool/database.ts";
import { type EventEstimates, NO_ESTIMATES } from "../../fields/project-schema.ts";
import { plannedRows } from "../../sql/planned-rows.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import type { EventCondition, Filter } from "../tree/filter.ts";
import { occurredSql, typeSql } from "./event-sql.ts";
import { StatementScope } from "./statement-scope.ts";

/** Counts up to this number; above it the planner's statistics are accurate enough. */
const COUNTED = 2_000;

/** Returns a bounded count of each condition's events and of the leads. */
export async function estimateEvents(
  db: ProjectDb,
  server: { isDistributed: boolean },
  projectId: string,
  timezone: string | undefined,
  filter: Filter,
): Promise<EventEstimates> {
  const asked = eventsIn(filter).filter(({ types }) => types.length > 0);
  if (asked.length === 0) return NO_ESTIMATES;
  const scope = new StatementScope(projectId, timezone, { ...NO_ESTIMATES, wanted: 0 });
  const lead = `lead WHERE project_id = ${scope.project} AND deleted_at IS NULL AND merged_into_id IS NULL`;
  const sources = asked.map((event) => {
    const occurred = event.pick === "any" ? occurredSql(event, scope) : [];
    const where = [`e.project_id = ${scope.project}`, ...typeSql(event.types, scope), ...occurred];
    return `event e WHERE ${where.join(" AND ")}`;
  });
  const limit = COUNTED + 1;
  const texts = [lead, ...sources].map((source) => `SELECT FROM ${source} LIMIT ${limit}`);
  const { values } = scope.parameters;
  const rows = await plannedRows(db, server, { texts, values, limit, how: "counted" }).catch(zoneUnknown);
  const [leads = 0, ...events] = rows;
  return { leads, events: new Map(asked.map(({ path }, i) => [path, events[i] ?? 0])) };
}

/** Returns the event conditions of a filter and its views. Recursion is safe: a filter that has been read is at most eight groups deep. */
export function eventsIn(filter: Filter): EventCondition[] {
  switch (filter.kind) {
    case "event":
      return [filter];
    case "and":
    case "or":
      return filter.of.flatMap(eventsIn);
    case "not":
    case "view":
      return eventsIn(filter.of);
    default:
      return [];
  }
}
