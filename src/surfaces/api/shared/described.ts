import { type TSchema, Type } from "typebox";
import { type FieldType, LEAD_FIELDS } from "../../../domain/fields/lead-field.ts";
import { LeadsQuery } from "../../../domain/filter/query-input.ts";

/** A schema that also takes null. */
export const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

export const stringOrNull = orNull(Type.String());

/** An object with any members. */
export const anyObject = Type.Object({}, { additionalProperties: true });

export const dateTime = Type.String({ format: "date-time" });

export const dateTimeOrNull = orNull(dateTime);

/** A timestamp as answers give it, with a word on its form. */
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

/** A lead as the endpoints show it; an absent value is null. */
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

/** The answers that every endpoint under an API key may give besides its own. */
export const PROBLEMS: Record<number, TSchema> = { 401: Problem, 403: Problem, 503: Problem };

/** The path of a route that names one thing by its id. */
export const IdInPath = Type.Object({ id: Type.String() });

/** A list under its name that comes whole, without a second page. */
export const wholeListOf = (name: string, item: TSchema): TSchema =>
  Type.Object({ [name]: Type.Array(item), next_cursor: Type.Null() });

/** How everything under /api/v1 says no. */
const Envelope = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })),
  }),
  request_id: Type.String(),
});

/** The noes of a v1 endpoint: those that every one may say, and its own. */
export const refusals = (...own: readonly number[]): Record<number, TSchema> =>
  Object.fromEntries([...own, 400, 401, 403, 429, 503].map((status) => [status, Envelope]));
