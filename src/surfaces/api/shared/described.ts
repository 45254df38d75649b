import { type TSchema, Type } from "typebox";
import { LEAD_FIELDS } from "../../../contract/lists/lead-fields.ts";
import type { FieldType } from "../../../contract/lists/operators.ts";
import { LeadsQuery } from "../../../contract/nouns/query.ts";

/** A schema that also takes null. */
export const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

export const stringOrNull = orNull(Type.String());

/** An object with any members. */
export const anyObject = Type.Object({}, { additionalProperties: true });

export const dateTime = Type.String({ format: "date-time" });

export const dateTimeOrNull = orNull(dateTime);

/** A timestamp in responses, with a description of its format. */
export const timestamp = Type.String({
  format: "date-time",
  description: "ISO 8601 with the offset +00:00.",
});

const SHAPES: Partial<Record<FieldType, TSchema>> = {
  number: Type.Number(),
  boolean: Type.Boolean(),
  tags: Type.Array(Type.String()),
  date: timestamp,
  object: Type.Object({}, { additionalProperties: true, description: "Custom fields by key." }),
};

const shapeOf = (type: FieldType, required: boolean): TSchema => {
  const shape = SHAPES[type] ?? Type.String();
  return required || type === "tags" || type === "object" ? shape : orNull(shape);
};

/** A lead as the endpoints return it; an absent value is null. */
export const Lead = Type.Object(
  Object.fromEntries(LEAD_FIELDS.map(({ name, type, required }) => [name, shapeOf(type, required === true)])),
);

/** Whether a count is exact (`eq`) or a lower bound (`gte`). */
export const Relation = Type.Union([Type.Literal("eq"), Type.Literal("gte")]);

export const LeadPageBody = Type.Object({
  leads: Type.Array(Lead),
  page_info: Type.Object({
    limit: Type.Integer(),
    offset: Type.Integer(),
    count: Type.Integer(),
    has_more: Type.Boolean(),
    next_offset: orNull(Type.Integer()),
    total: orNull(Type.Integer({ description: "Exact up to 10,000, unless total is exact." })),
    total_relation: orNull(Relation),
  }),
});

export const LeadsQueryBody = Type.Object(
  { project_id: Type.String({ description: "The key's project." }), ...LeadsQuery.properties },
  { additionalProperties: false },
);

export const Problem = Type.Object({ detail: Type.String(), code: Type.String() });

/** The refusals that every endpoint for API keys may return. */
export const PROBLEMS: Record<number, TSchema> = { 401: Problem, 403: Problem, 503: Problem };

/** The path parameter of routes that take one id. */
export const IdInPath = Type.Object({ id: Type.String() });

/** A named list that is returned in full, without pages. */
export const wholeListOf = (name: string, item: TSchema): TSchema =>
  Type.Object({ [name]: Type.Array(item), next_cursor: Type.Null() });

/** The error envelope of everything under /api/v1. */
const Envelope = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })),
  }),
  request_id: Type.String(),
});

/** The refusals of a v1 endpoint: the common ones, and its own. */
export const refusals = (...own: readonly number[]): Record<number, TSchema> =>
  Object.fromEntries([...own, 400, 401, 403, 429, 503].map((status) => [status, Envelope]));
