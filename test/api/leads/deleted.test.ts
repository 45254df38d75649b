import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Page {
  leads: { id: string; name: string; deleted_at: string | null }[];
  next_cursor: string | null;
}

const LEADS = "/api/v1/leads";

/** Leads of which the first four were deleted one after another, and one was merged into another. */
async function actors() {
  const the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const ids: string[] = [];
  for (const [name, city] of [
    ["Ana", "Natal"],
    ["Bo", "Recife"],
    ["Caio", "Natal"],
    ["Davi", "Recife"],
    ["Eva", "Natal"],
    ["Eva", "Natal"],
  ])
    ids.push((await bodyOf<{ id: string }>(await key.send("POST", LEADS, { name, city }), 201)).id);
  for (const id of ids.slice(0, 4)) assert.equal((await key.send("DELETE", `${LEADS}/${id}`)).status, 204);
  const merged = await key.send("POST", `${LEADS}/${ids[4]}/merge`, { with: ids[5] });
  assert.equal(merged.status, 200);
  const post = async <Body>(path: string, body: object) =>
    await bodyOf<Body>(await key.send("POST", `${LEADS}/${path}`, body));
  const names = async (body: object) => {
    const { leads } = await post<Page>("search", { deleted: true, ...body });
    return leads.map(({ name }) => name).join(" ");
  };
  return { the, key, ids, post, names, [Symbol.asyncDispose]: () => the[Symbol.asyncDispose]() };
}

test("deleted leads are found with deleted, the last deleted first, by pages, conditions, words, dates and sorts, and counted", async () => {
  await using all = await actors();
  const { post, names } = all;
  assert.equal(await names({}), "Davi Caio Bo Ana");
  const first = await post<Page>("search", { deleted: true, limit: 3 });
  assert.ok(first.leads.every(({ deleted_at: at }) => at !== null));
  assert.equal(await names({ limit: 3, cursor: first.next_cursor }), "Ana");
  assert.equal(await names({ filter: { field: "city", op: "eq", value: "natal" } }), "Caio Ana");
  assert.equal(await names({ search: "dav" }), "Davi");
  assert.equal(await names({ search: "a", sort: [{ field: "relevance" }] }), "Ana Davi Caio");
  assert.equal(await names({ sort: [{ field: "name" }] }), "Ana Bo Caio Davi");
  assert.equal(await names({ sort: [{ field: "deleted_at" }] }), "Ana Bo Caio Davi");
  const since = first.leads.at(-1)?.deleted_at;
  assert.equal(await names({ filter: { field: "deleted_at", op: "after", value: since } }), "Davi Caio");
  const filter = { field: "city", op: "eq", value: "Recife" };
  assert.deepEqual(await post("count", { deleted: true, filter }), { count: 2, relation: "eq" });
  assert.deepEqual(await post("count", {}), { count: 1, relation: "eq" });
});

test("without deleted, deleted_at is neither a sort nor a condition, a cursor of deleted leads is none of others, and the error says what to send", async () => {
  await using all = await actors();
  const { key, post } = all;
  const search = async (body: object) => await refusalOf(await key.send("POST", `${LEADS}/search`, body));
  const sorted = await search({ sort: [{ field: "deleted_at" }] });
  assert.deepEqual([sorted.status, sorted.code], [400, "not_sortable"]);
  assert.match(sorted.message, /deleted/);
  const filtered = await search({
    filter: { field: "deleted_at", op: "in_last", value: { n: 1, unit: "day" } },
  });
  assert.deepEqual([filtered.status, filtered.code], [400, "not_filterable"]);
  assert.match(filtered.message, /deleted: true/);
  const { next_cursor: cursor } = await post<Page>("search", { deleted: true, limit: 1 });
  assert.equal((await search({ limit: 1, cursor })).status, 400);
});

test("deleted leads that match are restored together, one change that can be undone", async () => {
  await using all = await actors();
  const { key, post, names } = all;
  const filter = { field: "city", op: "eq", value: "Natal" };
  const dry = await post<{ matched: number; updated: number }>("bulk", {
    op: "restore",
    filter,
    dry_run: true,
  });
  assert.deepEqual([dry.matched, dry.updated], [2, 2]);
  const wrong = await key.send("POST", `${LEADS}/bulk`, { op: "restore", filter, expected_count: 3 });
  assert.equal((await refusalOf(wrong)).code, "count_changed");
  const { change_id: change } = await post<{ change_id: string }>("bulk", {
    ...{ op: "restore", filter, expected_count: 2 },
  });
  assert.equal(await names({}), "Davi Bo");
  assert.equal((await post<Page>("search", { filter })).leads.length, 3);
  await bodyOf(await key.send("POST", `/api/v1/changes/${change}/undo`, {}));
  assert.equal(await names({ sort: [{ field: "name" }] }), "Ana Bo Caio Davi");
});
