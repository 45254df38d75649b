import { type Static, type TSchema, Type } from "typebox";
import { LOCALES } from "../../core/locale.ts";
import { constantOf } from "./constants.ts";

/** An object without other members than those listed. */
export const closed = { additionalProperties: false };

/** A schema that also takes null. */
export const orNull = <S extends TSchema>(schema: S, words: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], words);

export const stringOrNull = orNull(Type.String());

/** An object with any members. */
export const anyObject = Type.Record(Type.String(), Type.Unknown());

/** A time in answers. */
export const time = Type.String({
  format: "date-time",
  description: "ISO 8601 with the offset +00:00.",
  examples: ["2026-03-31T14:30:00.123456+00:00"],
});

export const timeOrNull = orNull(time);

/** A version, which a change names in If-Match or in its body. */
export const version = Type.Integer({ description: "Grows with every change; the ETag." });

/** The path parameter of endpoints that take one id. */
export const IdInPath = Type.Object({ id: Type.String() });

/** Whether a count is exact (`eq`) or a lower bound (`gte`). */
export const Relation = Type.Enum(["eq", "gte"], {
  $id: "Relation",
  description: "Whether a number is exact (eq) or a lower bound (gte).",
});
export type Relation = Static<typeof Relation>;

/** The query parameters of a list by cursor. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
  cursor: Type.Optional(Type.String({ description: "next_cursor of the page before." })),
};

/** Where a list by cursor continues. */
export const nextCursor = orNull(Type.String(), {
  description: "Repeat the call with it as cursor; null at the end.",
});

/** The end of a list that is always answered in full. */
export const noCursor = Type.Null({ description: "The list is complete." });

/** A list of path parameter or query values that are separated by commas. */
export const commaList = (description: string) => Type.Array(Type.String(), { description });

/** The language of the texts in an answer. */
export const LocaleInput = constantOf(LOCALES, {
  description: "The language of labels and sentences; defaults to English.",
});

/** What every undo takes. */
export const ClearingInput = Type.Object(
  {
    clear_opt_out: Type.Optional(
      Type.Boolean({
        description:
          "Whether it clears opt-outs (do_not_contact) that the change set. Default: false: the leads keep them, with the reason " +
          "opt_out, and the same call with true clears them later.",
      }),
    ),
  },
  { ...closed, $id: "ClearingInput" },
);
