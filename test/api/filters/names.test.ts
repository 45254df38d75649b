import assert from "node:assert/strict";
import { test } from "node:test";
import { Caller } from "../../mcp/support/using.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Found {
  leads: { id: string; display_name: string | null }[];
}

const search = async (key: KeyActor, body: object): Promise<Found> =>
  await bodyOf<Found>(await key.send("POST", "/api/v1/leads/search", body));

const found = async (key: KeyActor, body: object): Promise<string[]> =>
  (await search(key, body)).leads.map(({ id }) => id);

/** A person known by first and last name only, one by both and a name, one with a blank name, and one without any. */
async function fourLeads(the: World): Promise<string[]> {
  return await addLeads(the, [
    { first_name: "Ana", last_name: "Souza", created_at: "2026-01-04" },
    { name: "Bia S.", first_name: "Beatriz", last_name: "Sousa", created_at: "2026-01-03" },
    { name: "  ", last_name: "Lima", created_at: "2026-01-02" },
    { email: "no@example.org", created_at: "2026-01-01" },
  ]);
}

test("a lead's display name is its name unless that is blank, else its first and last name, in every answer", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const ids = await fourLeads(the);
  const names = ["Ana Souza", "Bia S.", "Lima", null];
  const shown = (leads: readonly Record<string, unknown>[]) => leads.map(({ display_name: name }) => name);
  assert.deepEqual(shown((await pageOf(await key.query({}))).leads), names);
  const fields = ["display_name"];
  for (let again = 0; again < 2; again += 1)
    assert.deepEqual(
      (await pageOf(await key.query({ fields }))).leads,
      ids.map((id, i) => ({ id, display_name: names[i] })),
    );
  assert.deepEqual(shown((await search(key, {})).leads as never), names);
  for (const [i, id] of ids.entries()) {
    const lead = await bodyOf<Record<string, unknown>>(await key.send("GET", `/api/v1/leads/${id}`));
    assert.equal(lead.display_name, names[i]);
  }
  const csv = await key.send("POST", "/api/leads/export/", { project_id: the.project.id, columns: fields });
  assert.equal(await csv.text(), "display_name\nAna Souza\nBia S.\nLima\n\n");
  const usual = await key.send("POST", "/api/leads/export/", { project_id: the.project.id });
  assert.doesNotMatch(await usual.text(), /display_name/);
  const made = await bodyOf<Record<string, unknown>>(
    await key.send("POST", "/api/v1/leads", { first_name: "Caio", last_name: "Prado" }),
    201,
  );
  assert.deepEqual([made.name, made.display_name], [null, "Caio Prado"]);
  const changed = await key.send("PATCH", `/api/v1/leads/${made.id}`, { last_name: "Dias" });
  assert.equal((await bodyOf<Record<string, unknown>>(changed)).display_name, "Caio Dias");
  const refused = await key.send("PATCH", `/api/v1/leads/${made.id}`, { display_name: "x" });
  assert.equal(refused.status, 400);
});

test("a lead known by first and last name is found by search, by conditions on its name and by assistants", async () => {
  await using the = await world();
  const key = await the.key();
  const [ana = "", bia = "", lima = "", none = ""] = await fourLeads(the);
  for (const words of ["ana souza", "Souza Ana", "souz", "áná"]) {
    assert.deepEqual(await found(key, { search: words }), [ana], words);
    assert.deepEqual(idsOf(await pageOf(await key.query({ search: words }))), [ana], words);
  }
  assert.deepEqual(await found(key, { search: "beatriz" }), [bia]);
  assert.deepEqual(await found(key, { search: "bia" }), [bia]);
  assert.deepEqual(await found(key, { search: "li" }), [lima]);
  const by = (op: string, value?: unknown, field = "name") =>
    found(key, { filter: { field, op, ...(value === undefined ? {} : { value }) } });
  for (const field of ["name", "display_name"]) {
    assert.deepEqual(await by("contains", "a s", field), [ana, bia], field);
    assert.deepEqual(await by("eq", "ANA SOUZA", field), [ana], field);
    assert.deepEqual(await by("starts_with", "ana", field), [ana], field);
    assert.deepEqual(await by("ends_with", "souza", field), [ana], field);
    assert.deepEqual(await by("in", ["ana souza", "lima"], field), [ana, lima], field);
    assert.deepEqual(await by("not_contains", "souza", field), [bia, lima, none], field);
    assert.deepEqual(await by("neq", "Ana Souza", field), [bia, lima, none], field);
    const order = await found(key, { sort: [{ field, dir: "desc" }] });
    assert.deepEqual(order, [lima, bia, ana, none], field);
  }
  assert.deepEqual(await by("contains", "beatriz"), []);
  assert.deepEqual(await by("is_empty"), [ana, none]);
  assert.deepEqual(await by("is_empty", undefined, "display_name"), [none]);
  const caller = await Caller.in(the);
  const { results } = await caller.call("search", { query: "ana souza" });
  assert.deepEqual(
    (results as { id: string; title: string }[]).map(({ id, title }) => [id, title]),
    [[ana, "Ana Souza"]],
  );
  const lead = await caller.call("get_lead", { id: "Ana Souza" });
  assert.match(JSON.stringify(lead), new RegExp(ana));
});

test("parts of first and last names are found in their index, of one project", async () => {
  await using the = await world({ alone: true });
  await the.sql(
    `INSERT INTO store.lead (project_id, id, first_name, last_name)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'first' || i, 'last' || i FROM generate_series(1, 3000) i`,
    [the.project.id],
  );
  await the.sql("VACUUM ANALYZE store.lead");
  const plan = await the.sql<{ "QUERY PLAN": string }>(
    `EXPLAIN SELECT id FROM store.lead WHERE project_id = $1 AND deleted_at IS NULL AND merged_into_id IS NULL
     AND (search_text LIKE '%last2999%' OR leadgate.full_name(first_name, last_name) <> coalesce(name, '')
       AND leadgate.fold(leadgate.full_name(first_name, last_name)) LIKE '%last2999%')`,
    [the.project.id],
  );
  const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
  assert.match(text, /lead_full_name.*\n\s+Index Cond: \(\(project_id = /);
  assert.match(text, /lead_words/);
});

test("by relevance, the best match is first; the default order stays", async () => {
  await using the = await world();
  const key = await the.key();
  const [ana, anabela, juliana, souza] = await addLeads(the, [
    { first_name: "Ana", last_name: "Souza", created_at: "2026-01-01" },
    { name: "Ana Souzand", created_at: "2026-01-02" },
    { name: "Juliana Souza", created_at: "2026-01-04" },
    { name: "Souza, Ana", created_at: "2026-01-03" },
  ]);
  const body = { search: "ana souza", sort: [{ field: "relevance" }] };
  const best = [ana, anabela, souza, juliana];
  assert.deepEqual(await found(key, body), best);
  assert.deepEqual(idsOf(await pageOf(await key.query(body))), best);
  assert.deepEqual(idsOf(await pageOf(await key.query({ ...body, limit: 2, offset: 1 }))), best.slice(1, 3));
  const first = await key.send("POST", "/api/v1/leads/search", { ...body, limit: 1, total: "exact" });
  const { leads, ...page } = await bodyOf<Found & object>(first);
  assert.deepEqual(
    [leads.map(({ id }) => id), page],
    [[ana], { next_cursor: null, total: 4, total_relation: "eq" }],
  );
  assert.deepEqual(await found(key, { search: "ana souza" }), [juliana, souza, anabela, ana]);
  const { results } = await (await Caller.in(the)).call("search", { query: "ana souza" });
  assert.deepEqual(
    (results as { id: string }[]).map(({ id }) => id),
    best,
  );
  for (const refused of [
    { sort: [{ field: "relevance" }] },
    { search: " ", sort: [{ field: "relevance" }] },
    { search: "ana", sort: [{ field: "relevance" }, { field: "name" }] },
    { search: "ana", sort: [{ field: "relevance", dir: "asc" }] },
  ]) {
    const { status, code } = await refusalOf(await key.send("POST", "/api/v1/leads/search", refused));
    assert.deepEqual([status, code], [400, "not_sortable"]);
    assert.equal((await key.query(refused)).status, 400);
  }
});
