import { Type } from "typebox";
import { readTypes } from "../filter/read/read-event.ts";
import { readMomentRange } from "../filter/read/read-moment.ts";
import { typeSql } from "../filter/sql/event-sql.ts";
import { momentSql } from "../filter/sql/range-sql.ts";
import type { StatementScope } from "../filter/sql/statement-scope.ts";

export const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." }));

export const Types = Type.Optional(
  Type.Array(Type.String({ maxLength: 200 }), {
    minItems: 1,
    maxItems: 100,
    description: "Such as email.opened, or email.* for all types that start with email.",
  }),
);

const Moment = Type.String({
  maxLength: 40,
  description: "A timestamp with its offset, or a date in the project's time zone.",
});

/** Which of a lead's events to return, and in which order. */
export const TimelineQuery = {
  types: Types,
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
  order: Type.Optional(
    Type.Union([Type.Literal("asc"), Type.Literal("desc")], { description: "Default: desc." }),
  ),
};

/** Filters by source, actor and field; the events of one field's changes are its history. */
export const EventOrigin = {
  source: Type.Optional(Type.String({ maxLength: 100, description: "Where they came from, such as panel." })),
  actor: Type.Optional(
    Type.String({ maxLength: 100, description: "The id of the key or person who did it." }),
  ),
  field: Type.Optional(
    Type.String({ maxLength: 100, description: "Changes of this field, such as status or custom.plan." }),
  ),
};

export interface TimelineSelection {
  types?: string[];
  /** Inclusive. */
  from?: string;
  /** Exclusive, so that the next span can start with it. */
  to?: string;
  order?: "asc" | "desc";
  source?: string;
  actor?: string;
  field?: string;
}

/** The condition for the requested events `e` of a lead, as SQL; 400 with the path of an unreadable value. */
export function timelineSql(
  leadId: string,
  { types, from, to, source, actor, field }: TimelineSelection,
  scope: StatementScope,
): string {
  const conditions = [`e.project_id = ${scope.project}`, `e.lead_id = ${scope.parameters.text(leadId)}`];
  if (types !== undefined) conditions.push(...typeSql(readTypes(types, "$.types"), scope));
  const begin = from === undefined ? undefined : readMomentRange("on_or_after", from, "$.from").from?.at;
  const end = to === undefined ? undefined : readMomentRange("before", to, "$.to").until?.at;
  if (begin !== undefined) conditions.push(`e.occurred_at >= ${momentSql(begin, scope)}`);
  if (end !== undefined) conditions.push(`e.occurred_at < ${momentSql(end, scope)}`);
  const { parameters } = scope;
  if (source !== undefined) conditions.push(`e.source = ${parameters.text(source)}`);
  if (actor !== undefined) conditions.push(`e.actor ->> 'id' = ${parameters.text(actor)}`);
  if (field !== undefined)
    conditions.push(`e.type = 'lead.updated' AND e.data ->> 'field' = ${parameters.text(field)}`);
  return conditions.join(" AND ");
}

/**
 * The SQL sort direction, newest first by default. Of simultaneous events, the one recorded later counts as newer.
 */
export const directionOf = ({ order = "desc" }: TimelineSelection): "ASC" | "DESC" =>
  order === "asc" ? "ASC" : "DESC";
