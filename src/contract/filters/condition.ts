import { type TSchema, type TSchemaOptions, Type } from "typebox";
import { closed } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { DateOrTimestamp, Duration, Numbers, Period, pairOf, Text, Texts } from "./values.ts";

interface Words extends TSchemaOptions {
  $id: string;
  description: string;
  examples: readonly object[];
}

const SAME = ["eq", "neq"] as const;
const LISTED = ["in", "not_in"] as const;
const PARTS = ["contains", "not_contains", "starts_with", "ends_with"] as const;
const ORDERED = ["gt", "gte", "lt", "lte"] as const;
const DATED = ["before", "after", "on_or_before", "on_or_after"] as const;
const RELATIVE = ["in_last", "not_in_last", "in_next", "older_than"] as const;
const EMPTY = ["is_empty", "is_not_empty"] as const;

/** `{"field", "op", "value"}` with one of these operators. */
const form = <Name extends TSchema, const Op extends string, Value extends TSchema>(
  field: Name,
  ops: readonly Op[],
  value: Value,
) => Type.Object({ field, op: oneOf(ops), value }, closed);

export const textCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Union([form(field, [...SAME, ...PARTS], Text), form(field, LISTED, Texts)], words);

export const emailCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Union([form(field, [...SAME, ...PARTS], Text), form(field, [...LISTED, "domain_in"], Texts)], words);

export const numberCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Union(
    [
      form(field, [...SAME, ...ORDERED], Type.Number()),
      form(field, ["between"], pairOf(Type.Number())),
      form(field, LISTED, Numbers),
    ],
    words,
  );

export const booleanCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Object({ field, op: oneOf(["eq"]), value: Type.Boolean() }, { ...closed, ...words });

/** For values that are compared verbatim: ids and enums. */
export const exactCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Union([form(field, SAME, Text), form(field, LISTED, Texts)], words);

export const tagsCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Object(
    { field, op: oneOf(["has_any", "has_all", "has_none"]), value: Texts },
    { ...closed, ...words },
  );

export const dateCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Union(
    [
      form(field, ["eq", ...DATED], DateOrTimestamp),
      form(field, ["between"], pairOf(DateOrTimestamp)),
      form(field, RELATIVE, Duration),
      form(field, ["in_period"], Period),
    ],
    words,
  );

/** Its operators need no value. */
export const emptyCondition = <Name extends TSchema>(field: Name, words: Partial<Words> = {}) =>
  Type.Object({ field, op: oneOf(EMPTY), value: Type.Optional(Type.Null()) }, { ...closed, ...words });

/** For fields whose type the schema does not know: any operator, and the values that it takes for some type. */
const openForms = <Name extends TSchema>(field: Name) =>
  [
    form(field, SAME, Type.Union([Text, Type.Number(), Type.Boolean()])),
    form(field, PARTS, Text),
    form(field, LISTED, Type.Union([Texts, Numbers])),
    form(field, ORDERED, Type.Number()),
    form(field, ["between"], Type.Union([pairOf(Type.Number()), pairOf(DateOrTimestamp)])),
    form(field, DATED, DateOrTimestamp),
    form(field, RELATIVE, Duration),
    form(field, ["in_period"], Period),
    emptyCondition(field),
  ] as const;

/** For fields that have a type, which depends on the project. */
export const openCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Union([...openForms(field), form(field, ["domain_in"], Texts)], words);

/** For fields that have no type. */
export const untypedCondition = <Name extends TSchema>(field: Name, words: Words) =>
  Type.Union([...openForms(field)], words);

/** A condition on a date without its field: when an event occurred. */
export const DateTest = Type.Union(
  [
    Type.Object({ op: oneOf(["eq", ...DATED]), value: DateOrTimestamp }, closed),
    Type.Object({ op: oneOf(["between"]), value: pairOf(DateOrTimestamp) }, closed),
    Type.Object({ op: oneOf(RELATIVE), value: Duration }, closed),
    Type.Object({ op: oneOf(["in_period"]), value: Period }, closed),
  ],
  {
    $id: "DateTest",
    description:
      "When an event must have occurred; not_in_last means that no such event occurred in that time.",
    examples: [{ op: "in_last", value: { n: 30, unit: "day" } }],
  },
);

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 });

/** A condition on the number of events or rows. */
export const CountTest = Type.Union(
  [
    Type.Object({ op: oneOf([...SAME, ...ORDERED]), value: Count }, closed),
    Type.Object({ op: oneOf(["between"]), value: pairOf(Count) }, closed),
  ],
  {
    $id: "CountTest",
    description: "How many must match. Without it, at least one; eq 0 matches leads without any.",
    examples: [{ op: "gte", value: 3 }],
  },
);
