import { type TSchema, Type } from "typebox";
import { type FieldType, LEAD_FIELDS } from "../../../domain/fields/lead-field.ts";
import { LeadsQuery } from "../../../domain/filter/query-input.ts";

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

const moment = Type.String({ format: "date-time", description: "ISO 8601 with the offset +00:00." });

const SHAPES: Partial<Record<FieldType, TSchema>> = {
  number: Type.Number(),
  boolean: Type.Boolean(),
  tags: Type.Array(Type.String()),
  date: moment,
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

export const LeadPageBody = Type.Object({
  leads: Type.Array(Lead),
  page_info: Type.Object({
    limit: Type.Integer(),
    offset: Type.Integer(),
    count: Type.Integer(),
    has_more: Type.Boolean(),
    next_offset: orNull(Type.Integer()),
    total: orNull(Type.Integer({ description: "Exact up to 10,000, unless total is exact." })),
    total_relation: orNull(Type.Union([Type.Literal("eq"), Type.Literal("gte")])),
  }),
});

export const LeadsQueryBody = Type.Object(
  { project_id: Type.String({ description: "The key's project." }), ...LeadsQuery.properties },
  { additionalProperties: false },
);

export const Problem = Type.Object({ detail: Type.String(), code: Type.String() });

/** The answers that every endpoint under an API key may give besides its own. */
export const PROBLEMS: Record<number, TSchema> = { 401: Problem, 403: Problem, 503: Problem };

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

/** What is known of every field of a project's leads. */
export const FieldListBody = Type.Object({
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      label: Type.String(),
      type: Type.String(),
      operators: Type.Array(Type.String()),
      options: orNull(Type.Array(Type.String())),
      custom: Type.Boolean(),
      required: Type.Boolean({ description: "Never empty." }),
      sortable: Type.Boolean(),
      groupable: Type.Boolean(),
      writable: Type.Boolean({ description: "Whether it can be written." }),
    }),
  ),
  next_cursor: Type.Null(),
});

export const FilterValidation = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })),
  sentence: orNull(Type.String({ description: "The filter as a sentence." })),
  estimated_count: orNull(
    Type.Integer({
      description: "Exact up to 10,000 leads; estimated beyond that, or if counting takes over a second.",
    }),
  ),
});
