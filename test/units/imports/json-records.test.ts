import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonRecords } from "../../../src/domain/imports/file/json/json-records.ts";
import { namedValues } from "../../../src/domain/imports/file/json/named-values.ts";
import { all, readFile } from "./support/read-file.ts";

/** Texts, and their format if it is not given. */
const FORMATS: readonly [text: string, format: string][] = [
  ['[{"a":1},{"a":2}]', "json"],
  ['\n [\n  {"a": 1},\n  {"a": 2}\n]\n', "json"],
  ['{"leads":[{"a":1},{"a":2}]}', "json"],
  ['{"leads": [\n{"a":1},\n{"a":2}\n]}', "json"],
  [
    '{\n  "total": 2, "more": false,\n  "leads": [\n    {"a":1}, {"a":2}\n  ],\n  "next": {"x": [1]}\n}',
    "json",
  ],
  ['{"a":1}\n{"a":2}\n', "ndjson"],
  ['{"a":1}', "ndjson"],
  ['{"id":1,"notes":[{"a":1}]}', "ndjson"],
  ['{"field_data":[{"name":"a","values":["1"]}]}', "ndjson"],
  ['{"leads":[{"a":1}]}\n{"leads":[{"a":2}]}', "ndjson"],
  ['{"a":[{"b":1}\n{"a":[]}', "ndjson"],
  ['{"a":\n{"a":1}', "ndjson"],
  ["[draft],b\n1,2\n", "csv"],
  ["[],b\n1,2\n", "csv"],
];

for (const [text, format] of FORMATS)
  test(`${JSON.stringify(text)} is read as ${format}`, async () => {
    const { shape, records } = await readFile(text);
    assert.equal(shape.format, format);
    if (format !== "csv") assert.deepEqual([shape.delimiter, shape.headerRow], [null, null]);
    if (format === "json") {
      const cells = records.map((record) => record.cells);
      assert.deepEqual([shape.header, cells], [["a"], [["1"], ["2"]]]);
    }
  });

test("a record's line is where its object starts, and its columns are those of lines of JSON", async () => {
  const objects = [
    { name: 'A "}],[{" \\', custom: { plan: "x", size: 3 }, tags: ["a", "b"], none: null, yes: true },
    {
      email: "a@x.example",
      field_data: [{ name: "city", values: ["Porto", "Faro"] }],
      deep: { er: { x: 1 } },
    },
  ];
  const pretty = await readFile(JSON.stringify(objects, null, 2));
  const lines = await readFile(objects.map((each) => JSON.stringify(each)).join("\n"));
  assert.deepEqual(pretty.shape.header, lines.shape.header);
  assert.deepEqual(
    pretty.records.map(({ line }) => line),
    [2, 15],
  );
  assert.deepEqual(
    pretty.records.map(({ cells }) => cells),
    lines.records.map(({ cells }) => cells),
  );
  assert.deepEqual(lines.shape.header, [
    ...["name", "custom.plan", "custom.size", "tags", "none", "yes", "email", "city", "deep.er"],
  ]);
  const whole = await readFile(JSON.stringify(objects), { whole: true });
  assert.deepEqual(whole.shape.header.slice(1, 3), ["custom", "tags"]);
  assert.equal(whole.records[1]?.cells[6], '[{"name":"city","values":["Porto","Faro"]}]');
});

test("an array is read alike however its text is divided", async () => {
  const text =
    '{"n": 1, "leads" : [ {"a":"\\\\\\"]}"} ,\n\n{"a":[{"b":"}"},[]]}, 7 , "x,]", [ ], null\n] , "e": "]}" } \n';
  const expected = [
    ["1", '\\"]}'],
    ["3", '[{"b":"}"},[]]'],
    ["3", "7", "not_an_object"],
    ["3", '"x,]"', "not_an_object"],
    ["3", "[ ]", "not_an_object"],
    ["3", "null", "not_an_object"],
  ];
  for (const size of [1, 2, 3, 5, 1_000]) {
    async function* pieces() {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    }
    const records = await all(jsonRecords(pieces(), []));
    const found = records.map(({ line, cells, fault }) => [
      ...[String(line), cells[0] ?? ""],
      ...(fault === undefined ? [] : [fault.code]),
    ]);
    assert.deepEqual(found, expected, `${size}`);
  }
});

/** Texts that are not arrays of objects, and the line that the refusal names. */
const BROKEN: readonly [text: string, line: number][] = [
  ['[{"a":1},\n{"a":2}', 2],
  ['[{"a":1},\n{"a":2', 2],
  ['[\n{"a":"1\n\n},{"a":2}]', 2],
  ['[{"a":1}\n{"a":2}]', 2],
  ['[{"a":1},\n]', 2],
  ['[{"a":1},\n,{"a":2}]', 2],
  ['[{"a":1}}]', 1],
  ['[{"a":1}]\n\nx', 3],
  ['[{"a":1}]\n[{"a":1}]', 2],
  ['{"leads":[\n{"a":1}\n]', 3],
  ['{"leads":[\n{"a":1}\n]}}', 3],
  ['{"leads":[{"a":1}], "x": [\n', 2],
];

for (const [text, line] of BROKEN)
  test(`a broken array is refused with its line: ${JSON.stringify(text)}`, async () => {
    await assert.rejects(readFile(text, { format: "json" }), (error: { code: string; message: string }) => {
      assert.equal(error.code, "not_json");
      assert.match(error.message, new RegExp(`line ${line}\\.`));
      return true;
    });
  });

test("what is not an array of objects, an empty array, and an object that is too long are refused", async () => {
  const refused = async (text: string, code: string) =>
    await assert.rejects(readFile(text, { format: "json" }), { code });
  for (const text of ["a,b\n1,2\n", "7", '"x"', '{"a":1}', '{"a":[1,2],"b":[]}'])
    await refused(text, "not_json");
  for (const text of ["", " \n", "[]", "[\n]\n"]) await refused(text, "empty_file");
  await assert.rejects(readFile("[]\n"), { code: "empty_file" });
  const long = JSON.stringify([{ a: 1 }, { a: "x".repeat(1_000_001) }]);
  await refused(long, "line_too_long");
  await refused(long.slice(0, -3), "line_too_long");
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`c${i}`, i]));
  await refused(JSON.stringify([many]), "too_many_columns");
});

test("an object that cannot be parsed fails alone", async () => {
  const { records } = await readFile("[{'a':1},\n{\"a\":2}]", { format: "json" });
  assert.deepEqual(
    records.map(({ fault }) => fault?.code),
    ["not_json", undefined],
  );
});

/** Lists, and their values by name. */
const LISTS: readonly [list: unknown, values: Record<string, string> | undefined][] = [
  [[{ name: "email", values: ["a@x.example"] }], { email: "a@x.example" }],
  [
    [
      { name: "city", values: ["Porto", "Faro"] },
      { name: "age", values: [] },
    ],
    { city: "Porto; Faro", age: "" },
  ],
  [
    [
      { column_id: "FULL_NAME", column_name: "Full name", string_value: "Una" },
      { column_id: "CITY", string_value: "X" },
    ],
    { "Full name": "Una", CITY: "X" },
  ],
  [
    [
      { key: " plan ", value: 3 },
      { key: "vip", value: true },
      { key: "no", value: null },
    ],
    { plan: "3", vip: "true", no: "" },
  ],
  [[{ field: 7, value: "x" }], { 7: "x" }],
  [[{ label: "City", value: { id: 1 } }], { City: '{"id":1}' }],
  [
    [
      { name: "tag", value: "a" },
      { name: "tag", value: "b" },
    ],
    { tag: "a; b" },
  ],
  [[], undefined],
  [[{ name: "a" }], undefined],
  [[{ value: "a" }], undefined],
  [[{ name: "", value: "a" }], undefined],
  [[{ name: "a", value: 1 }, 7], undefined],
  [["a"], undefined],
  [{ name: "a", value: 1 }, undefined],
  ["a", undefined],
];

for (const [list, values] of LISTS)
  test(`the values by name of ${JSON.stringify(list)} are ${JSON.stringify(values)}`, () => {
    const found = namedValues(list);
    assert.deepEqual(found && Object.fromEntries(found), values);
  });

test("a name in a list that another member has as well stays apart, and no list adds columns without end", async () => {
  const list = [{ name: "id", value: "inner" }];
  const { shape, records } = await readFile(JSON.stringify([{ a: list, id: "own", b: { c: list } }]));
  assert.deepEqual(
    [shape.header, records[0]?.cells],
    [
      ["a.id", "id", "b.c.id"],
      ["inner", "own", "inner"],
    ],
  );
  const row = (from: number) => ({
    items: Array.from({ length: 40 }, (_, i) => ({ name: `n${from + i}`, value: i })),
  });
  const many = await readFile(Array.from({ length: 20 }, (_, i) => JSON.stringify(row(i * 40))).join("\n"));
  assert.equal(many.shape.header.length, 321);
  assert.deepEqual(JSON.parse(many.records[19]?.cells[320] ?? ""), row(760).items);
});
