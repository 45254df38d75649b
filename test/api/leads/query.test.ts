import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../../src/core/id.ts";
import { type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf, problemOf } from "../support/leads.ts";

const DAY = 86_400_000;

async function five(the: World): Promise<string[]> {
  const now = Date.now();
  return await addLeads(the, [
    {
      name: "José Ávila",
      email: "jose@example.org",
      company: "100% Açaí",
      score: 10,
      tags: ["a", "b"],
      created_at: new Date(now - DAY),
    },
    {
      name: "Bruna",
      email: "BRUNA@example.com",
      score: null,
      status: "won",
      created_at: new Date(now - 2 * DAY),
    },
    {
      name: "carla",
      phone: "(11) 91234-5678",
      phone_e164: "+5511912345678",
      score: 30,
      created_at: new Date(now - 3 * DAY),
    },
    { name: "Davi_x", score: 20, custom: { plan: "Pró", seats: 12.5 }, created_at: new Date(now - 4 * DAY) },
    { name: "Eva", score: null, custom: { plan: "Free", seats: 3 }, created_at: new Date(now - 5 * DAY) },
  ]);
}

test("a page is newest first, reports where it ends, and continues by offset", async () => {
  await using the = await world();
  const ids = await five(the);
  const key = await the.key();
  const first = await pageOf(await key.query({ limit: 2 }));
  assert.deepEqual(idsOf(first), ids.slice(0, 2));
  assert.deepEqual(first.page_info, {
    limit: 2,
    offset: 0,
    count: 2,
    has_more: true,
    next_offset: 2,
    total: 5,
    total_relation: "eq",
  });
  const last = await pageOf(await key.query({ limit: 2, offset: 4 }));
  assert.deepEqual(idsOf(last), ids.slice(4));
  assert.deepEqual(last.page_info, {
    limit: 2,
    offset: 4,
    count: 1,
    has_more: false,
    next_offset: null,
    total: 5,
    total_relation: "eq",
  });
  const beyond = await pageOf(await key.query({ offset: 1_000, total: "exact" }));
  assert.deepEqual([beyond.leads, beyond.page_info.total], [[], 5]);
  const untold = await pageOf(await key.query({ total: "none" }));
  assert.deepEqual([untold.page_info.total, untold.page_info.total_relation], [null, null]);
});

test("the URL without its trailing slash gives the same response", async () => {
  await using the = await world();
  const [id] = await five(the);
  const key = await the.key();
  const page = await pageOf(
    await key.send("POST", "/api/leads/query", { project_id: the.project.id, limit: 1 }),
  );
  assert.deepEqual(idsOf(page), [id]);
  assert.equal((await key.send("GET", `/api/leads/${id}`)).status, 200);
});

test("a lead shows every field, absent ones as null, and times with their offset", async () => {
  await using the = await world();
  const [id] = await five(the);
  const key = await the.key();
  const response = await key.send("GET", `/api/leads/${id}/`);
  const lead = (await response.json()) as Record<string, unknown>;
  assert.equal(Object.keys(lead).length, 49);
  assert.equal("search_text" in lead || "project_id" in lead, false);
  assert.equal(lead.website, null);
  assert.deepEqual(lead.custom, {});
  assert.match(String(lead.created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
  const [same] = (await pageOf(await key.query({ limit: 1 }))).leads;
  assert.deepEqual(same, lead);
});

test("only the fields asked for are shown, and the id", async () => {
  await using the = await world();
  const [id] = await five(the);
  const page = await pageOf(await (await the.key()).query({ fields: ["score", "name"], limit: 1 }));
  assert.deepEqual(page.leads, [{ id, name: "José Ávila", score: 10 }]);
});

test("leads without a value come last or first, as asked", async () => {
  await using the = await world();
  const [a, b, c, d, e] = await five(the);
  const key = await the.key();
  const sorted = async (sort: object[]) => idsOf(await pageOf(await key.query({ sort })));
  assert.deepEqual(
    await sorted([
      { field: "score", dir: "desc" },
      { field: "created_at", dir: "desc" },
    ]),
    [c, d, a, b, e],
  );
  assert.deepEqual(await sorted([{ field: "score", nulls: "first" }, { field: "created_at" }]), [
    e,
    b,
    a,
    d,
    c,
  ]);
  assert.deepEqual(await sorted([{ field: "name" }]), [b, c, d, e, a]);
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'seats', 'Seats', 'number')",
    [the.project.id],
  );
  assert.deepEqual((await sorted([{ field: "custom.seats", dir: "desc" }])).slice(0, 2), [d, e]);
});

test("words are found without accents and case, in name, e-mail, phone and company", async () => {
  await using the = await world();
  const [a, b, c, d] = await five(the);
  const key = await the.key();
  const found = async (search: string) => idsOf(await pageOf(await key.query({ search })));
  assert.deepEqual(await found("AVILA jose"), [a]);
  assert.deepEqual(await found("100%"), [a]);
  assert.deepEqual(await found("acai EXAMPLE.org"), [a]);
  assert.deepEqual(await found("bruna@example.com"), [b]);
  assert.deepEqual(await found("5511912345678"), [c]);
  assert.deepEqual(await found("i_x"), [d]);
  assert.deepEqual(await found("jose bruna"), []);
});

test("a phone is compared as E.164, with the project's country if it has none", async () => {
  await using the = await world();
  const ids = await five(the);
  const key = await the.key();
  const found = async (value: string) => await key.query({ filter: { field: "phone", op: "eq", value } });
  assert.deepEqual(idsOf(await pageOf(await found("+55 11 91234 5678"))), [ids[2]]);
  assert.equal((await problemOf(await found("11 91234-5678"))).code, "not_a_phone");
  await the.sql("UPDATE store.project SET default_country = 'BR' WHERE project_id = $1", [the.project.id]);
  assert.deepEqual(idsOf(await pageOf(await found("11 91234-5678"))), [ids[2]]);
});

test("deleted and merged leads are not shown", async () => {
  await using the = await world();
  const [a, b, ...rest] = await five(the);
  await the.sql("UPDATE store.lead SET deleted_at = now() WHERE id = $1", [a]);
  await the.sql("UPDATE store.lead SET merged_into_id = $2 WHERE id = $1", [b, rest[0]]);
  const key = await the.key();
  assert.deepEqual(idsOf(await pageOf(await key.query({}))), rest);
  assert.equal((await key.send("GET", `/api/leads/${a}/`)).status, 404);
});

test("a bounded total stops at ten thousand, an exact one does not, and deep pages keep their order", async () => {
  await using the = await world();
  await the.sql(
    `INSERT INTO store.lead (project_id, id, created_at) SELECT $1, 'lead_' || lpad(i::text, 26, '0'), now() - i * interval '1 minute'
     FROM generate_series(1, 10050) i`,
    [the.project.id],
  );
  const key = await the.key();
  const bounded = await pageOf(await key.query({ limit: 1 }));
  assert.deepEqual([bounded.page_info.total, bounded.page_info.total_relation], [10_000, "gte"]);
  const exact = await pageOf(await key.query({ limit: 1, total: "exact" }));
  assert.deepEqual([exact.page_info.total, exact.page_info.total_relation], [10_050, "eq"]);
  const deep = await pageOf(await key.query({ limit: 3, offset: 9_000, fields: ["id"] }));
  assert.deepEqual(
    idsOf(deep),
    [9_001, 9_002, 9_003].map((i) => `lead_${String(i).padStart(26, "0")}`),
  );
  const end = await pageOf(await key.query({ limit: 100, offset: 10_000 }));
  assert.deepEqual(
    [end.page_info.count, end.page_info.total, end.page_info.total_relation],
    [50, 10_000, "gte"],
  );
});

test("a lead that does not exist is 404, whatever its id looks like", async () => {
  await using the = await world();
  const key = await the.key();
  for (const id of [newId("lead"), "lead_1", "x", "%00", "a%2Fb", "lead_%F0%9F%92%A9"]) {
    const response = await key.send("GET", `/api/leads/${id}/`);
    assert.deepEqual([response.status, (await problemOf(response)).code], [404, "not_found"], id);
  }
});

test("further e-mail addresses are found without regard to case, like the main one", async () => {
  await using the = await world();
  const key = await the.key();
  const [ana, bea] = await addLeads(the, [
    { emails: ["Ana@Example.org", "a@example.org"], created_at: "2026-01-01" },
    { emails: ["bea@example.org"], created_at: "2026-01-02" },
  ]);
  const found = async (op: string, value: string[]) =>
    idsOf(await pageOf(await key.query({ filter: { field: "emails", op, value } })));
  assert.deepEqual(await found("has_any", ["ana@example.ORG"]), [ana]);
  assert.deepEqual(await found("has_all", ["ANA@example.org", "A@example.org"]), [ana]);
  assert.deepEqual(await found("has_none", ["ana@example.org"]), [bea]);
});
