import assert from "node:assert/strict";
import { test } from "node:test";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { randomFrom } from "../api/support/random-filter.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { acted, uploaded } from "../imports/support/uploading.ts";
import { large } from "../large.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { built, inStep, ORDERED, PARTED, removed, valuesStored, want } from "./support/indexes.ts";

const FIELDS = [
  { key: "plan", type: "enum", options: ["free", "gold"] },
  { key: "note", type: "text" },
  { key: "agreed", type: "boolean" },
  { key: "seats", type: "number" },
  { key: "due", type: "date" },
];

const EVERY = [
  ...ORDERED.map((field) => ({ field, kind: "order" as const })),
  ...PARTED.map((field) => ({ field, kind: "parts" as const })),
];

const small = { config: { fewestIndexedLeads: 0 } };

async function keyWithFields(the: World): Promise<KeyActor> {
  const key = await the.key(["leads:read", "leads:write", "leads:erase", "schema:write"]);
  for (const field of FIELDS)
    await bodyOf(await key.send("POST", "/api/v1/fields", { label: "F", ...field }), 201);
  return key;
}

const NUMBERS = [-1e9, -7.25, 0, 5e-324, 0.1 + 0.2, 1, 2 ** 53, 1.7976931348623157e308];

/** A lead with random values, of which many are equal, empty or long. */
function randomLead(random: () => number): Record<string, unknown> {
  const one = <T>(...from: T[]): T => from[Math.floor(random() * from.length)] as T;
  const some = <T>(name: string, value: T) => (random() < 0.6 ? { [name]: value } : {});
  return {
    ...some("company", one("Ácme", "acme", "Zebra & Söhne", null)),
    ...some("job_title", one("Boss", "", null)),
    ...some(
      "email",
      one(null, `a${Math.floor(random() * 1e6)}@One.example`, `b${Math.floor(random() * 1e6)}@two.example`),
    ),
    ...some("phone", one(null, "+55 11 91234-5678", "+1 202-555-0100")),
    ...some("value", one(null, 0, 12.5, 1e300)),
    ...some("do_not_contact", one(true, false)),
    custom: {
      ...some("plan", one("free", "gold", null)),
      ...some("note", one("Olá", "ola", "ß".repeat(300), null)),
      ...some("agreed", one(true, false, null)),
      ...some("seats", one<number | null>(null, ...NUMBERS)),
      ...some("due", one("2026-01-31", "2026-02-01", null)),
    },
  };
}

/** Makes random calls of every kind of write; refusals are part of it. */
async function write(
  key: KeyActor,
  ids: string[],
  random: () => number,
  calls: number,
): Promise<Set<string>> {
  const did = new Set<string>();
  const changes: string[] = [];
  const merges: string[] = [];
  const one = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const send = async (what: string, method: string, path: string, body?: object) => {
    const answer = await key.send(method, `/api/v1/${path}`, body);
    const text = await answer.text();
    assert.ok(answer.status < 500, `${what}: ${text}`);
    if (!answer.ok) return {};
    did.add(what);
    const change = answer.headers.get("x-leadgate-change");
    if (change !== null) changes.push(change);
    return text === "" ? {} : (JSON.parse(text) as { id?: string; merge_id?: string; lead?: { id: string } });
  };
  const some = () => [...new Set(Array.from({ length: 5 }, () => one(ids)))].map((id) => ({ id }));
  const kinds: readonly (() => Promise<unknown>)[] = [
    async () => {
      const { id } = await send("create", "POST", "leads", randomLead(random));
      if (id !== undefined) ids.push(id);
    },
    () => send("update", "PATCH", `leads/${one(ids)}`, randomLead(random)),
    () => send("update", "PATCH", `leads/${one(ids)}`, randomLead(random)),
    () => send("bulk set", "POST", "leads/bulk", { op: "set", items: some(), set: randomLead(random) }),
    () => send("bulk delete", "POST", "leads/bulk", { op: "delete", items: some().slice(0, 2) }),
    () =>
      send("upsert", "PUT", "leads/upsert", {
        match_on: ["email"],
        lead: { ...randomLead(random), email: `u${Math.floor(random() * 5)}@up.example` },
      }),
    () => send("delete", "DELETE", `leads/${one(ids)}`),
    () => send("restore", "POST", `leads/${one(ids)}/restore`),
    () => send("erase", "DELETE", `leads/${one(ids)}?erase=true`),
    async () => {
      const merged = await send("merge", "POST", `leads/${one(ids)}/merge`, { with: one(ids) });
      if (merged.merge_id !== undefined) merges.push(merged.merge_id);
    },
    () => send("undo of a merge", "POST", `merges/${one(merges) ?? "mrg_none"}/undo`),
    () => send("undo", "POST", `changes/${one(changes) ?? "chg_none"}/undo`, {}),
  ];
  for (let call = 0; call < calls; call += 1) await one(kinds)();
  return did;
}

large(
  "indexes have exactly what leads have, through random writes of every kind by several writers, also while they are built",
  async (t) => {
    await using the = await world(small);
    const key = await keyWithFields(the);
    const seed = Math.floor(Math.random() * 1e9);
    t.diagnostic(`seed ${seed}`);
    const random = randomFrom(seed);
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1)
      ids.push((await leadOf(await key.send("POST", "/api/v1/leads", randomLead(random)), 201)).id);
    const writing = Promise.all([1, 2, 3, 4].map((n) => write(key, ids, randomFrom(seed + n), 60)));
    want(the, EVERY);
    const did = new Set((await writing).flatMap((each) => [...each]));
    const indexes = await built(the, EVERY.length);
    assert.equal(indexes.length, EVERY.length);
    await inStep(the);
    const more = await Promise.all([5, 6, 7, 8].map((n) => write(key, ids, randomFrom(seed + n), 60)));
    for (const each of more) for (const what of each) did.add(what);
    await inStep(the);
    t.diagnostic([...did].sort().join(", "));
    assert.ok(did.size >= 9, [...did].join());
  },
);

test("an import, its repetition and its undo are in the indexes", async () => {
  await using the = await world(small);
  const key = await keyWithFields(the);
  await leadOf(await key.send("POST", "/api/v1/leads", { email: "1@old.example", company: "Old" }), 201);
  want(the, EVERY);
  await built(the, EVERY.length);
  const rows = Array.from(
    { length: 1_500 },
    (_, n) => `${n}@${n === 1 ? "old" : "new"}.example,Co ${n % 7},${n}`,
  );
  const { id } = await uploaded(the, key, ["email,company,value", ...rows].join("\n"));
  const done = await acted(key, id, "commit");
  assert.deepEqual([done.created, done.updated, done.failed], [1_499, 1, 0]);
  await inStep(the);
  await acted(key, id, "undo");
  await inStep(the);
});

test("texts that are longer than an index entry are cut and say so; texts for parts are kept whole", async () => {
  await using the = await world(small);
  const key = await keyWithFields(the);
  const long = (end: string) => `${"ß".repeat(400)}${end}`;
  const set = (id: string, text: string) =>
    key.send("PATCH", `/api/v1/leads/${id}`, { custom: { note: text } });
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { custom: { note: "Boss" } }), 201);
  want(the, [
    { field: "custom.note", kind: "order" },
    { field: "custom.note", kind: "parts" },
    { field: "company", kind: "order" },
  ]);
  assert.deepEqual(
    (await built(the, 3)).map(({ cut }) => cut),
    [false, false, false],
  );
  await leadOf(await set(id, long("a")));
  await inStep(the);
  await leadOf(await set(id, long("b")));
  await inStep(the);
  const cuts = async (count: number) =>
    (await built(the, count)).map(({ field, kind, cut }) => [field, kind, cut]);
  assert.deepEqual(await cuts(3), [
    ["custom.note", "order", true],
    ["custom.note", "parts", false],
    ["company", "order", false],
  ]);
  // Also when it is built of what is there.
  await the.sql("UPDATE store.field_index SET dropped_at = now() WHERE field = 'custom.note'");
  await the.sql(
    "INSERT INTO store.field_index (project_id, field, kind, form) VALUES ($1, 'custom.note', 'order', 'folded')",
    [the.project.id],
  );
  assert.ok(await sweep(the.service));
  assert.deepEqual(await cuts(2), [
    ["company", "order", false],
    ["custom.note", "order", true],
  ]);
  await inStep(the);
});

test("a deleted field, and one whose values are compared otherwise, leave no index behind; an erased project nothing at all", async () => {
  await using the = await world(small);
  const key = await keyWithFields(the);
  await leadOf(await key.send("POST", "/api/v1/leads", { custom: { note: "A", seats: 3 } }), 201);
  want(the, [
    { field: "custom.note", kind: "order" },
    { field: "custom.note", kind: "parts" },
    { field: "custom.seats", kind: "order" },
    { field: "company", kind: "order" },
  ]);
  await built(the, 4);
  assert.equal((await key.send("DELETE", "/api/v1/fields/note?force=true")).status, 204);
  await removed(the);
  assert.deepEqual((await built(the, 2)).map(({ field }) => field).sort(), ["company", "custom.seats"]);
  await bodyOf(await key.send("PATCH", "/api/v1/fields/seats", { type: "integer" }));
  assert.equal((await built(the, 2)).length, 2);
  await bodyOf(await key.send("PATCH", "/api/v1/fields/seats", { type: "text" }));
  await removed(the);
  assert.deepEqual(
    (await built(the, 1)).map(({ field }) => field),
    ["company"],
  );
  assert.equal(await valuesStored(the), 1);
  await inStep(the);
  await the.sql("UPDATE store.field_index SET dropped_at = now()");
  await the.sql("DELETE FROM store.lead WHERE project_id = $1", [the.project.id]);
  assert.equal(await valuesStored(the), 0);
});
