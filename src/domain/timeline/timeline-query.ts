import { type Static, Type } from "typebox";
import { eventOrigin, types } from "../../contract/timeline/timeline-query.ts";
import { readTypes } from "../filter/read/read-event.ts";
import { readMomentRange } from "../filter/read/read-moment.ts";
import { typeSql } from "../filter/sql/event-sql.ts";
import { momentSql } from "../filter/sql/range-sql.ts";
import type { StatementScope } from "../filter/sql/statement-scope.ts";

export const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." }));

const Moment = Type.String({
  maxLength: 40,
  description: "A timestamp with its offset, or a date in the project's time zone.",
});

/** Which of a lead's events to return, and in which order. */
export const TimelineQuery = {
  types,
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
  order: Type.Optional(
    Type.Union([Type.Literal("asc"), Type.Literal("desc")], { description: "Default: desc." }),
  ),
};

const Selection = Type.Object({ ...TimelineQuery, ...eventOrigin });
export type TimelineSelection = Static<typeof Selection>;

/** The condition for the requested events `e` of a lead, as SQL; 400 with the path of an unreadable value. */
export function timelineSql(
  leadId: string,
  { source, actor, field, ...selection }: TimelineSelection,
  scope: StatementScope,
): string {
  const { parameters } = scope;
  const conditions = [`e.project_id = ${scope.project}`, `e.lead_id = ${parameters.text(leadId)}`];
  conditions.push(...eventConditions(selection, scope));
  if (source !== undefined) conditions.push(`e.source = ${parameters.text(source)}`);
  if (actor !== undefined) conditions.push(`e.actor ->> 'id' = ${parameters.text(actor)}`);
  if (field !== undefined)
    conditions.push(`e.type = 'lead.updated' AND e.data ->> 'field' = ${parameters.text(field)}`);
  return conditions.join(" AND ");
}

/** Conditions for events `e` of some types and of a period, as SQL. */
export function eventConditions(
  { types, from, to }: Pick<TimelineSelection, "types" | "from" | "to">,
  scope: StatementScope,
): string[] {
  const conditions = types === undefined ? [] : typeSql(readTypes(types, "$.types"), scope);
  const begin = from === undefined ? undefined : readMomentRange("on_or_after", from, "$.from").from?.at;
  const end = to === undefined ? undefined : readMomentRange("before", to, "$.to").until?.at;
  if (begin !== undefined) conditions.push(`e.occurred_at >= ${momentSql(begin, scope)}`);
  if (end !== undefined) conditions.push(`e.occurred_at < ${momentSql(end, scope)}`);
  return conditions;
}

/**
 * The SQL sort direction, newest first by default. Of simultaneous events, the one recorded later counts as newer.
 */
export const directionOf = ({ order = "desc" }: TimelineSelection): "ASC" | "DESC" =>
  order === "asc" ? "ASC" : "DESC";
