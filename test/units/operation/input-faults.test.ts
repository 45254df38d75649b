import assert from "node:assert/strict";
import { test } from "node:test";
import { type TSchema, Type } from "typebox";
import { faultFinder } from "../../../src/domain/operation/input-faults.ts";

const closed = { additionalProperties: false };
const Name = Type.Union([Type.Literal("external_id"), Type.Literal("email"), Type.Literal("phone")]);
const Rule = Type.Object(
  { field: Type.String({ minLength: 1 }), prefix: Type.Optional(Type.String()) },
  closed,
);

/** A schema of the value at `$.v`, a value, and its errors as [path, code, message]. */
type Case = [what: string, schema: TSchema, value: unknown, ...faults: [string, string, string][]];

const cases: Case[] = [
  ["a string", Type.String(), 5, ["$.v", "type", "must be a string"]],
  ["a number", Type.Number(), "5", ["$.v", "type", "must be a number"]],
  ["an integer", Type.Integer(), 1.5, ["$.v", "type", "must be an integer"]],
  ["a boolean", Type.Boolean(), "yes", ["$.v", "type", "must be true or false"]],
  ["an array", Type.Array(Type.String()), "a", ["$.v", "type", "must be an array"]],
  ["an object", Type.Object({}), [], ["$.v", "type", "must be a JSON object"]],
  ["null", Type.Null(), 0, ["$.v", "type", "must be null"]],
  ["an item of an array", Type.Array(Type.String()), ["a", 1], ["$.v[1]", "type", "must be a string"]],
  [
    "a value of a record",
    Type.Record(Type.String(), Type.String()),
    { "a/b": 1 },
    ["$.v.a/b", "type", "must be a string"],
  ],

  [
    "a missing key",
    Type.Object({ a: Type.String(), b: Type.String() }),
    {},
    ["$.v.a", "required", "is required"],
    ["$.v.b", "required", "is required"],
  ],
  [
    "an unknown key",
    Rule,
    { field: "a", feild: 1 },
    ["$.v.feild", "unknown_key", "is not a known key; the known keys are field, prefix"],
  ],
  [
    "an unknown key where none is known",
    Type.Object({}, closed),
    { a: 1 },
    ["$.v.a", "unknown_key", "is not a known key"],
  ],
  [
    "an unknown key among many",
    Type.Object(
      Object.fromEntries("abcdefghijklm".split("").map((key) => [key, Type.Optional(Type.Null())])),
      closed,
    ),
    { z: 1 },
    ["$.v.z", "unknown_key", "is not a known key"],
  ],

  ["a union of literals", Name, "name", ["$.v", "one_of", "must be one of external_id, email, phone"]],
  [
    "another type for a union of literals",
    Name,
    5,
    ["$.v", "type", "must be one of external_id, email, phone"],
  ],
  ["a union of literals of one", Type.Union([Type.Literal("a")]), "b", ["$.v", "one_of", "must be a"]],
  ["a literal", Type.Literal("bulk"), "b", ["$.v", "one_of", "must be bulk"]],
  ["another type for a literal", Type.Literal("bulk"), 5, ["$.v", "type", "must be bulk"]],
  ["an enum", Type.Enum(["asc", "desc"]), "up", ["$.v", "one_of", "must be one of asc, desc"]],
  [
    "an enum with a type",
    Type.Unsafe<string>({ type: "string", enum: ["asc", "desc"] }),
    5,
    ["$.v", "type", "must be one of asc, desc"],
  ],
  [
    "an enum of signs",
    Type.Enum([",", ";", "\t", "|"]),
    ":",
    ["$.v", "one_of", 'must be one of ",", ";", "\\t", "|"'],
  ],
  ["an enum of numbers", Type.Enum([1, 2]), 3, ["$.v", "one_of", "must be one of 1, 2"]],
  [
    "an enum of many",
    Type.Enum(Array.from({ length: 41 }, (_, i) => `n${i}`)),
    "x",
    ["$.v", "one_of", `must be one of ${Array.from({ length: 40 }, (_, i) => `n${i}`).join(", ")}, …`],
  ],

  [
    "a string or null",
    Type.Union([Type.String(), Type.Null()]),
    5,
    ["$.v", "type", "must be a string or null"],
  ],
  [
    "a long string or null",
    Type.Union([Type.String({ maxLength: 3 }), Type.Null()]),
    "long",
    ["$.v", "too_long", "must have at most 3 characters"],
  ],
  [
    "an integer or null",
    Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    0,
    ["$.v", "range", "must be at least 1"],
  ],
  [
    "a scalar or null",
    Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
    [],
    ["$.v", "type", "must be a string, a number, true or false, or null"],
  ],
  [
    "an enum or null",
    Type.Union([Type.Enum(["a", "b"]), Type.Null()]),
    "c",
    ["$.v", "one_of", "must be one of a, b, or null"],
  ],

  [
    "one name or several",
    Type.Union([Name, Type.Array(Name)]),
    "name",
    ["$.v", "one_of", "must be one of external_id, email, phone, or an array of them"],
  ],
  [
    "one name or several, another type",
    Type.Union([Name, Type.Array(Name)]),
    {},
    ["$.v", "type", "must be one of external_id, email, phone, or an array of them"],
  ],
  [
    "several names, one of them wrong",
    Type.Union([Name, Type.Array(Name)]),
    ["email", "name"],
    ["$.v", "type", "must be one of external_id, email, phone, or an array of them"],
    ["$.v[1]", "one_of", "must be one of external_id, email, phone"],
  ],
  [
    "several names, none given",
    Type.Union([Name, Type.Array(Name, { minItems: 1 })]),
    [],
    ["$.v", "type", "must be one of external_id, email, phone, or an array of them"],
    ["$.v", "too_few", "must have at least 1 item"],
  ],
  [
    "a field or a rule",
    Type.Union([Type.String(), Rule]),
    5,
    ["$.v", "type", "must be a string, or a JSON object with field, prefix"],
  ],
  [
    "a rule with a fault",
    Type.Union([Type.String(), Rule]),
    { field: "" },
    ["$.v", "type", "must be a string, or a JSON object with field, prefix"],
    ["$.v.field", "too_short", "must not be empty"],
  ],
  [
    "a rule or null",
    Type.Union([Rule, Type.Null()]),
    { field: 5 },
    ["$.v.field", "type", "must be a string"],
  ],
  [
    "one of two objects",
    Type.Union([
      Type.Object({ external_id: Type.String() }, closed),
      Type.Object({ email: Type.String() }, closed),
    ]),
    { name: "x" },
    ["$.v", "required", "must be a JSON object with external_id or a JSON object with email"],
  ],
  [
    "a record of unions",
    Type.Record(Type.String(), Type.Union([Type.Literal("this"), Type.Literal("other")])),
    { name: "that" },
    ["$.v.name", "one_of", "must be one of this, other"],
  ],
  [
    "unions in the items of an array",
    Type.Array(Name),
    ["a", "email", 1],
    ["$.v[0]", "one_of", "must be one of external_id, email, phone"],
    ["$.v[2]", "type", "must be one of external_id, email, phone"],
  ],

  ["too small", Type.Integer({ minimum: 1 }), 0, ["$.v", "range", "must be at least 1"]],
  ["too large", Type.Integer({ maximum: 5 }), 9, ["$.v", "range", "must be at most 5"]],
  [
    "outside of a range",
    Type.Integer({ minimum: 1, maximum: 500 }),
    501,
    ["$.v", "range", "must be between 1 and 500"],
  ],
  [
    "below a range",
    Type.Integer({ minimum: 1, maximum: 500 }),
    0,
    ["$.v", "range", "must be between 1 and 500"],
  ],
  [
    "negative",
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    -1,
    ["$.v", "range", "must be at least 0"],
  ],
  ["above none", Type.Number({ exclusiveMinimum: 0 }), 0, ["$.v", "range", "must be greater than 0"]],
  ["below one", Type.Number({ exclusiveMaximum: 1 }), 1, ["$.v", "range", "must be less than 1"]],
  ["no multiple", Type.Number({ multipleOf: 5 }), 7, ["$.v", "range", "must be a multiple of 5"]],
  ["empty", Type.String({ minLength: 1 }), "", ["$.v", "too_short", "must not be empty"]],
  ["too short", Type.String({ minLength: 8 }), "x", ["$.v", "too_short", "must have at least 8 characters"]],
  ["too long", Type.String({ maxLength: 1 }), "xy", ["$.v", "too_long", "must have at most 1 character"]],
  [
    "too few items",
    Type.Array(Type.String(), { minItems: 2 }),
    [],
    ["$.v", "too_few", "must have at least 2 items"],
  ],
  [
    "too many items",
    Type.Array(Type.String(), { maxItems: 1 }),
    ["a", "b"],
    ["$.v", "too_many", "must have at most 1 item"],
  ],
  [
    "an item twice",
    Type.Array(Type.String(), { uniqueItems: true }),
    ["a", "a"],
    ["$.v", "repeated", "must not have duplicate items"],
  ],
  ["too few keys", Type.Object({}, { minProperties: 1 }), {}, ["$.v", "too_few", "must have at least 1 key"]],
  [
    "too many keys",
    Type.Object({}, { maxProperties: 1 }),
    { a: 1, b: 2 },
    ["$.v", "too_many", "must have at most 1 key"],
  ],
  [
    "a known pattern",
    Type.String({ pattern: "^[A-Z]{3}$" }),
    "brl",
    ["$.v", "bad_format", "must be three capital letters, such as BRL"],
  ],
  [
    "another pattern",
    Type.String({ pattern: "^b+$" }),
    "a",
    ["$.v", "bad_format", "must match the pattern ^b+$"],
  ],
  [
    "a time",
    Type.String({ format: "date-time" }),
    "now",
    ["$.v", "bad_format", "must be a timestamp with its offset, such as 2026-03-31T14:30:00+00:00"],
  ],
  [
    "another format",
    Type.String({ format: "ipv4" }),
    "x",
    ["$.v", "bad_format", "must be in the format ipv4"],
  ],
];

for (const [what, schema, value, ...faults] of cases)
  test(`faults say what is wanted: ${what}`, () => {
    const found = faultFinder(Type.Object({ v: schema }))({ v: value });
    assert.deepEqual(
      found.map(({ path, code, message }) => [path, code, message]),
      faults,
    );
  });

test("an input that fits has no faults, and one that is not an object has one", () => {
  const faultsOf = faultFinder(Type.Object({ v: Type.Optional(Name) }));
  assert.deepEqual(faultsOf({ v: "email" }), []);
  for (const input of [null, [], "v", 5, undefined])
    assert.deepEqual(faultsOf(input), [{ path: "$", code: "type", message: "must be a JSON object" }]);
});
