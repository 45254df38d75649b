import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../../large.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { bodyOf } from "../support/v1.ts";
import { leadOf, refusalOf, writer } from "../support/writing.ts";

interface Field {
  indexed: boolean;
  index_built_at: string | null;
}

const field = (key: KeyActor, more: object) =>
  key.send("POST", "/api/v1/fields", { label: "Seats", type: "number", ...more });

/** Waits for the field's index to be built; returns the field. */
async function built(key: KeyActor, name: string): Promise<Field> {
  for (;;) {
    const found = await bodyOf<Field>(await key.send("GET", `/api/v1/fields/${name}`));
    if (found.index_built_at !== null) return found;
    await sleep(20);
  }
}

const on = (op: string, value: unknown, name = "seats") => ({ field: `custom.${name}`, op, value });
const EDGES = [-1e9, -7.25, 0, 5e-324, 0.1 + 0.2, 1, 2, 3, 10, 12.5, 2 ** 53, 1.7e308];

/** Every filter that the index may answer, and some that it may not. */
const asked = (name: string): object[] => [
  on("between", [1, 12.5], name),
  on("between", [3, 1], name),
  on("gt", 2, name),
  on("gte", 2, name),
  on("lt", 0.3, name),
  on("lte", 5e-324, name),
  on("eq", 0, name),
  on("eq", 1.7e308, name),
  on("gt", 1e305, name),
  on("in", [1, 2, 99], name),
  on("in", [], name),
  { and: [on("gte", 1, name), { and: [on("lt", 10, name)] }, { field: "status", op: "eq", value: "won" }] },
  { and: [{ field: "status", op: "eq", value: "won" }, { or: [on("eq", 1, name), on("eq", 2, name)] }] },
  { not: on("gte", 1, name) },
  on("neq", 1, name),
  { or: [on("eq", 1, name), { field: "status", op: "eq", value: "won" }] },
];

async function everyPage(key: KeyActor, filter: object, sort?: object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = { filter, limit: 9, fields: ["id"], ...(sort && { sort }), ...(cursor && { cursor }) };
    const page = await bodyOf<{ leads: { id: string }[]; next_cursor: string | null }>(
      await key.send("POST", "/api/v1/leads/search", body),
    );
    ids.push(...page.leads.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

async function sameAnswers(key: KeyActor): Promise<void> {
  for (const [i, filter] of asked("seats").entries()) {
    const plain = asked("plain")[i] as object;
    const sorts: (object[] | undefined)[] = [
      undefined,
      [
        { field: "custom.seats", dir: "desc" },
        { field: "created_at", dir: "desc" },
      ],
    ];
    const ids = { filter, fields: ["id"] };
    for (const sort of sorts) {
      const why = JSON.stringify({ filter, sort });
      const expected = await everyPage(key, plain, sort);
      const counted = await key.send("POST", "/api/v1/leads/count", { filter, exact: true });
      assert.equal((await bodyOf<{ count: number }>(counted)).count, expected.length, why);
      assert.deepEqual(await everyPage(key, filter, sort), expected, why);
      for (const total of ["exact", "none"] as const) {
        const page = await pageOf(await key.query({ ...ids, limit: 500, total, ...(sort && { sort }) }));
        assert.deepEqual(idsOf(page), expected, why);
        if (total === "exact") assert.equal(page.page_info.total, expected.length, why);
      }
      const deep = await pageOf(await key.query({ ...ids, limit: 500, offset: 501, total: "exact" }));
      assert.deepEqual(idsOf(deep), [], why);
    }
  }
}

/** Stores the same numbers twice: in an indexed field, and in one without an index. */
async function filled(the: World, key: KeyActor): Promise<string[]> {
  await bodyOf(await field(key, { key: "plain" }), 201);
  const at = (n: number) => new Date(1_760_000_000_000 + Math.floor(n / 2) * 1_000).toISOString();
  return await addLeads(
    the,
    Array.from({ length: 40 }, (_, n) => {
      const value = n % 5 === 4 ? ["3", null, true, [2]][n % 4] : EDGES[n % EDGES.length];
      return {
        status: n % 3 === 0 ? "won" : "new",
        created_at: at((n * 7) % 40),
        custom: JSON.stringify({ seats: value, plain: value }),
      };
    }),
  );
}

const numbers = async (the: World): Promise<number> =>
  (await the.sql<{ n: number }>("SELECT count(*)::integer AS n FROM store.lead_order_number"))[0]?.n ?? 0;

large(
  "a field that is marked as indexed answers as before, and goes on so through every kind of write",
  async () => {
    await using the = await world();
    const key = await writer(the);
    const ids = await filled(the, key);
    await bodyOf(await field(key, { key: "seats", indexed: true }), 201);
    assert.equal((await built(key, "seats")).indexed, true);
    assert.ok((await numbers(the)) > 20);
    await sameAnswers(key);

    const [one = "", two = "", three = "", four = ""] = ids;
    const set = (id: string, value: unknown) =>
      key.send("PATCH", `/api/v1/leads/${id}`, { custom: { seats: value, plain: value } });
    await leadOf(await set(one, 11));
    await leadOf(await set(two, null));
    assert.equal((await key.send("DELETE", `/api/v1/leads/${three}`)).status, 204);
    await bodyOf(await key.send("POST", `/api/v1/leads/${four}/merge`, { with: ids[5], prefer: "other" }));
    await leadOf(await key.send("POST", "/api/v1/leads", { custom: { seats: 2, plain: 2 } }), 201);
    await bodyOf(
      await key.send("POST", "/api/v1/leads/bulk", {
        op: "set",
        items: ids.slice(8, 12).map((id) => ({ id })),
        set: { custom: { seats: 12, plain: 12 } },
      }),
    );
    await sameAnswers(key);
    await leadOf(await key.send("POST", `/api/v1/leads/${three}/restore`));
    await sameAnswers(key);
  },
);

large("an index is built while others write, and what was written meanwhile is in it", async () => {
  await using the = await world();
  const key = await writer(the);
  const ids = await filled(the, key);
  await bodyOf(await field(key, { key: "seats" }), 201);
  // A transaction that started before the mark, and commits after it.
  const [early = "", late = ""] = ids;
  let begun = () => {};
  let marked = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const isMarked = new Promise<void>((resolve) => (marked = resolve));
  const writing = the.service.db.transaction(async (tx) => {
    const sql = `UPDATE store.lead SET custom = '{"seats": 10.5, "plain": 10.5}' WHERE project_id = $2 AND id = $1`;
    await tx.query(sql, [early, the.project.id]);
    begun();
    await isMarked;
    await tx.query(sql, [late, the.project.id]);
  });
  await hasBegun;
  const made = await bodyOf<Field>(await key.send("PATCH", "/api/v1/fields/seats", { indexed: true }));
  assert.deepEqual([made.indexed, made.index_built_at], [true, null]);
  await sameAnswers(key);
  marked();
  await writing;
  await built(key, "seats");
  const found = await everyPage(key, on("eq", 10.5));
  assert.deepEqual(found.sort(), [early, late].sort());
  await sameAnswers(key);
});

test("only numbers are indexed; a mark that is taken off, a deleted field and an erased lead leave nothing behind", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const [id = ""] = await filled(the, key);
  for (const type of ["text", "date", "boolean"])
    assert.equal((await refusalOf(await field(key, { key: "other", type, indexed: true }))).status, 400);
  await bodyOf(await field(key, { key: "seats", indexed: true }), 201);
  await built(key, "seats");
  assert.equal(
    (await refusalOf(await key.send("PATCH", "/api/v1/fields/seats", { type: "text" }))).status,
    400,
  );
  await the.sql("UPDATE store.lead SET deleted_at = NULL WHERE id = $1", [id]);
  await the.sql("DELETE FROM store.lead WHERE id = $1", [id]);
  assert.equal((await the.sql("SELECT FROM store.lead_order_number WHERE lead_id = $1", [id])).length, 0);
  const off = await bodyOf<Field>(await key.send("PATCH", "/api/v1/fields/seats", { indexed: false }));
  assert.deepEqual([off.indexed, off.index_built_at], [false, null]);
  while ((await numbers(the)) > 0) await sleep(20);
  await sameAnswers(key);
  await bodyOf(await key.send("PATCH", "/api/v1/fields/seats", { indexed: true }));
  await built(key, "seats");
  await sameAnswers(key);
  assert.equal((await key.send("DELETE", "/api/v1/fields/seats?force=true")).status, 204);
  while ((await numbers(the)) > 0) await sleep(20);
});

test("a field without a mark has no index, also when another field's index was built", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "schema:write"]);
  await bodyOf(await field(key, { key: "rooms" }), 201);
  await bodyOf(await field(key, { key: "seats", indexed: true }), 201);
  assert.equal((await built(key, "seats")).indexed, true);
  const { indexed, index_built_at } = await bodyOf<Field>(await key.send("GET", "/api/v1/fields/rooms"));
  assert.deepEqual([indexed, index_built_at], [false, null]);
});
