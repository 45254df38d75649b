import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, type World, world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

const COLUMNS = [
  { key: "code", type: "text" },
  { key: "email", type: "email", unique: true },
  { key: "phone", type: "text", unique: true },
  { key: "name", type: "text", required: true },
  { key: "plan", type: "text" },
];

const ANA = { code: "a-1", email: "ana@example.org", phone: "1", name: "Ana", plan: "gold" };

/** A dataset with two rows, a key that may read them and one that may not. */
async function people(the: World): Promise<{ reader: KeyActor; writer: KeyActor; row: string }> {
  const reader = await the.key(["datasets:read", "datasets:write", "datasets:import"]);
  const writer = await the.key(["datasets:write"]);
  const dataset = { key: "people", key_column: "code", columns: COLUMNS };
  await bodyOf(await reader.send("POST", "/api/v1/datasets", dataset), 201);
  const { _id: row } = await bodyOf<{ _id: string }>(
    await reader.send("POST", "/api/v1/datasets/people/rows", ANA),
    201,
  );
  const bo = { code: "b-2", email: "bo@example.org", phone: "2", name: "Bo", plan: "silver" };
  await bodyOf(await reader.send("POST", "/api/v1/datasets/people/rows", bo), 201);
  return { reader, writer, row };
}

test("with datasets:write alone, a refused change of columns names no rows", async () => {
  await using the = await world();
  const { reader, writer } = await people(the);
  for (const change of [{ type: "enum", options: ["gold"] }, { type: "integer" }, { required: true }]) {
    const columns = COLUMNS.map((column) => (column.key === "plan" ? { ...column, ...change } : column));
    if ("required" in change)
      await bodyOf(
        await reader.send("POST", "/api/v1/datasets/people/rows", { code: "c-3", name: "Cy" }),
        201,
      );
    for (const [key, knows] of [
      [reader, true],
      [writer, false],
    ] as const) {
      const answer = await key.send("PATCH", "/api/v1/datasets/people", { columns });
      const { error } = await bodyOf<{ error: { code: string } }>(answer, 409);
      assert.equal(error.code, "rows_do_not_fit");
      const text = JSON.stringify(error);
      assert.equal(/row_|plan|details":\[\{/.test(text), knows, text);
    }
  }
});

test("with datasets:write alone, no refused row or batch tells which values are stored", async () => {
  await using the = await world();
  const { reader, writer, row } = await people(the);
  const fresh = { code: "n-1", email: "nobody@example.org", phone: "3", name: "No" };
  const guesses = [fresh, { ...fresh, email: ANA.email }];
  const nowhere = "row_019a2b3c4d5e7f8a9b0c1d2e3f405162";
  /** What a guess is sent with, so that nothing is written whether it is right or not. */
  const batches: [name: string, body: (guess: object) => object][] = [
    ["an invalid row", (guess) => ({ rows: [guess, { ...fresh, email: "no address" }] })],
    ["a row that misses a value", (guess) => ({ rows: [guess, { code: "n-2" }] })],
    ["a taken value", (guess) => ({ rows: [guess, { code: "n-2", name: "No", phone: "2" }] })],
    ["a row that is not there", (guess) => ({ mode: "upsert", rows: [guess, { _id: nowhere, name: "No" }] })],
  ];
  for (const [name, body] of batches) {
    const told = async (key: KeyActor) =>
      await Promise.all(
        guesses.map(async (guess) => {
          const answer = await key.send("POST", "/api/v1/datasets/people/rows/batch", body(guess));
          return JSON.stringify((await bodyOf<{ error: object }>(answer, 422)).error);
        }),
      );
    const [absent, present] = await told(writer);
    assert.equal(present, absent, name);
    assert.doesNotMatch(present ?? "", new RegExp(row));
    const [unknown, known] = await told(reader);
    assert.notEqual(known, unknown, name);
    assert.match(known ?? "", new RegExp(row));
  }
  const single = async (key: KeyActor, values: object) => {
    const answer = await key.send("POST", "/api/v1/datasets/people/rows", values);
    return JSON.stringify((await bodyOf<{ error: object }>(answer, 422)).error);
  };
  const { name: _, ...nameless } = fresh;
  assert.equal(await single(writer, { ...nameless, email: ANA.email }), await single(writer, nameless));
  const taken = { ...fresh, phone: "2" };
  assert.equal(await single(writer, { ...taken, email: ANA.email }), await single(writer, taken));
  assert.doesNotMatch(await single(writer, taken), /row_/);
  assert.match(await single(reader, taken), /row_/);
  const rows = { rows: [fresh, { ...fresh, email: "no address" }] };
  const own = await refusalOf(await writer.send("POST", "/api/v1/datasets/people/rows/batch", rows));
  assert.match(own.message, /rows\[1\]\.email/, "what is wrong with a row in itself is told");
  const old = await writer.send("POST", "/api/datasets/people/rows", { rows: [taken, taken] });
  const { errors } = await bodyOf<{ errors: { index: number; column: string | null }[] }>(old, 422);
  assert.deepEqual(
    errors.map(({ index, column }) => [index, column]),
    [
      [0, null],
      [1, null],
    ],
  );
});

test("without leads:read, rows show no leads that they are linked to, and are not found or sorted by them", async () => {
  await using the = await world();
  const all = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:write"]);
  const reader = await the.key(["datasets:read", "datasets:write"]);
  const dataset = {
    ...{ key: "people", columns: [{ key: "email", type: "email" }] },
    lead_link: { column: "email", match: "email" },
  };
  await bodyOf(await all.send("POST", "/api/v1/datasets", dataset), 201);
  const lead = await bodyOf<{ id: string }>(
    await all.send("POST", "/api/v1/leads", { email: ANA.email }),
    201,
  );
  const made: { _id: string; _lead_id: string | null }[] = [];
  for (const key of [all, reader])
    made.push(
      await bodyOf(await key.send("POST", "/api/v1/datasets/people/rows", { email: ANA.email }), 201),
    );
  assert.deepEqual(
    made.map(({ _lead_id }) => _lead_id),
    [lead.id, null],
  );
  const filter = { field: "_lead_id", op: "is_not_empty" };
  const sort = [{ field: "_lead_id", dir: "desc" }];
  for (const [key, knows] of [
    [all, true],
    [reader, false],
  ] as const) {
    const one = `/api/v1/datasets/people/rows/${made[0]?._id}`;
    for (const [method, path, body] of [
      ["GET", one, undefined],
      ["PATCH", one, { email: ANA.email }],
      ["POST", "/api/v1/datasets/people/query", {}],
      ["POST", "/api/v1/datasets/people/query", { columns: ["_lead_id"] }],
      ["POST", "/api/datasets/people/query", {}],
    ] as const) {
      const text = JSON.stringify(await bodyOf(await key.send(method, path, body)));
      assert.equal(text.includes(lead.id), knows, `${method} ${path}`);
      assert.equal(text.includes('"_lead_id":null'), !knows, `${method} ${path}`);
    }
    for (const [method, path, body] of [
      ["POST", "/api/v1/datasets/people/query", { filter }],
      ["POST", "/api/v1/datasets/people/query", { filter: { all: [{ any: [filter] }] } }],
      ["POST", "/api/v1/datasets/people/query", { sort }],
      ["POST", "/api/datasets/people/query", { filter }],
      ["POST", "/api/datasets/people/query", { sort }],
      ["DELETE", "/api/v1/datasets/people/rows", { filter, expected_count: 0 }],
    ] as const) {
      const answer = await key.send(method, path, body);
      const text = await answer.text();
      assert.equal(answer.status === 403, !knows, `${method} ${path} ${text}`);
      assert.equal(text.includes("leads:read"), !knows, text);
    }
  }
});
