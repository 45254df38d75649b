import assert from "node:assert/strict";
import { test } from "node:test";
import { Caller } from "../../mcp/support/using.ts";
import { type KeyActor, world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { bodyOf } from "../support/v1.ts";

interface Found {
  leads: { id: string }[];
  similar?: true;
  total?: number;
}

const BEST = { sort: [{ field: "relevance" }] };

const search = async (key: KeyActor, body: object): Promise<Found> =>
  await bodyOf<Found>(await key.send("POST", "/api/v1/leads/search", body));

test("where nothing has the words, similar leads are found by relevance and marked as such, for assistants as well", async () => {
  await using the = await world();
  const key = await the.key();
  const [ana, juliana, cafe] = await addLeads(the, [
    { first_name: "Ana", last_name: "Souza", created_at: "2026-01-01" },
    { name: "Juliana Souza Prado", created_at: "2026-01-02" },
    { name: "Zoë", company: "Café Aurora", email: "zoe@example.org", created_at: "2026-01-03" },
  ]);
  const found = async (words: string, body: object = BEST) => {
    const { leads, similar } = await search(key, { search: words, ...body });
    return [leads.map(({ id }) => id), similar];
  };
  // what is written right, anywhere, is all that is found
  assert.deepEqual(await found("souza"), [[juliana, ana], undefined]);
  assert.deepEqual(await found("julian"), [[juliana], undefined]);
  // the display name that is most similar comes first
  assert.deepEqual(await found("ana suoza"), [[ana, juliana], true]);
  assert.deepEqual(await found("Julianna"), [[juliana], true]);
  assert.deepEqual(await found("souxa julian"), [[juliana], true]);
  assert.deepEqual(await found("café AURROA"), [[cafe], true]);
  assert.deepEqual(await found("souxa lima"), [[], undefined]);
  assert.deepEqual(await found("zo_"), [[], undefined]);
  assert.deepEqual(await found("souza%"), [[], undefined]);
  const filter = { field: "company", op: "is_empty" };
  assert.deepEqual(await found("aurroa", { ...BEST, filter }), [[], undefined]);
  // other orders, and pages by offset, find what was typed
  assert.deepEqual(await found("ana suoza", {}), [[], undefined]);
  assert.deepEqual(idsOf(await pageOf(await key.query({ search: "ana suoza", ...BEST }))), []);
  const counted = await search(key, { search: "suoza", ...BEST, limit: 1, total: "exact" });
  assert.deepEqual([counted.leads.length, counted.total, counted.similar], [1, 2, true]);
  const caller = await Caller.in(the);
  const { results, similar } = await caller.call("search", { query: "ana suoza" });
  assert.deepEqual([(results as { id: string }[]).map(({ id }) => id), similar], [[ana, juliana], true]);
  assert.deepEqual(Object.keys(await caller.call("search", { query: "ana souza" })), ["results"]);
});

test("leads of another project, deleted and merged ones are not similar to anything", async () => {
  await using the = await world();
  await using other = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  await addLeads(other, [{ name: "Bernardo Prado" }]);
  const [gone = ""] = await addLeads(the, [{ name: "Bernardo Lima" }]);
  await key.send("DELETE", `/api/v1/leads/${gone}`);
  assert.deepEqual((await search(key, { search: "Bernrado", ...BEST })).leads, []);
  const deleted = await search(key, { search: "Bernrado", ...BEST, deleted: true });
  assert.deepEqual([deleted.leads.map(({ id }) => id), deleted.similar], [[gone], true]);
});
