import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../../src/core/id.ts";
import { type KeyActor, world } from "../../world.ts";
import { addLeads, problemOf } from "../support/leads.ts";
import { bodyOf } from "../support/v1.ts";
import { leadOf, type Record_, refusalOf, writer } from "../support/writing.ts";

interface Merged {
  merge_id: string;
  merged_id: string;
  changed: string[];
  lead: Record_;
}

interface Unmerged {
  leads: [Record_, Record_];
  kept: string[];
}

const merge = async (key: KeyActor, id: string, body: object) =>
  bodyOf<Merged>(await key.send("POST", `/api/v1/leads/${id}/merge`, body));

const undo = (key: KeyActor, mergeId: string) => key.send("POST", `/api/v1/merges/${mergeId}/undo`);

const create = async (key: KeyActor, lead: object) =>
  leadOf(await key.send("POST", "/api/v1/leads", lead), 201);

const get = async (key: KeyActor, id: string) => leadOf(await key.send("GET", `/api/v1/leads/${id}`));

async function timeline(key: KeyActor, id: string): Promise<[type: string, from: string | null][]> {
  const path = `/api/v1/leads/${id}/events?order=asc&limit=500`;
  const { events } = await bodyOf<{ events: { type: string; merged_from: string | null }[] }>(
    await key.send("GET", path),
  );
  return events.map(({ type, merged_from }) => [type, merged_from]);
}

const call = (key: KeyActor, id: string, more: object = {}) =>
  key.send("POST", `/api/v1/leads/${id}/events`, { type: "call.made", ...more });

test("a merged lead keeps its values, fills its gaps, unites its lists, and loses no address or number", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'plan', 'Plan', 'text'), ($1, 'seats', 'Seats', 'integer')`,
    [the.project.id],
  );
  const one = await create(key, {
    name: "Ana Souza",
    email: "ana@example.org",
    tags: ["vip", "a"],
    value: 100,
    first_touch: "2026-02-01T00:00:00Z",
    custom: { plan: "pro" },
    status: "won",
  });
  const two = await create(key, {
    name: "Ana S.",
    email: "ana.souza@example.com",
    emails: ["ANA@example.org", "third@example.org"],
    phone: "(11) 91234-5678",
    company: "Porto",
    tags: ["b", "a"],
    value: 5,
    currency: "USD",
    first_touch: "2026-01-01T00:00:00Z",
    do_not_contact: true,
    consent_status: "given",
    custom: { plan: "free", seats: 3 },
  });
  const merged = await merge(key, one.id, { with: two.id });
  const expected = {
    id: one.id,
    name: "Ana Souza",
    email: "ana@example.org",
    emails: ["ana.souza@example.com", "third@example.org"],
    phone: "(11) 91234-5678",
    phone_e164: "+5511912345678",
    company: "Porto",
    status: "won",
    tags: ["vip", "a", "b"],
    value: 100,
    currency: null,
    first_touch: "2026-01-01T00:00:00+00:00",
    do_not_contact: true,
    consent_status: "given",
    custom: { plan: "pro", seats: 3 },
    created_at: one.created_at,
    version: 2,
  };
  for (const [field, value] of Object.entries(expected)) assert.deepEqual(merged.lead[field], value, field);
  assert.deepEqual(await get(key, one.id), merged.lead);
  assert.deepEqual([merged.merged_id, merged.changed.includes("custom.seats")], [two.id, true]);
});

test("preferred values are chosen for all fields or for each, and an empty one never wins", async () => {
  await using the = await world();
  const key = await writer(the);
  const pair = async () => [
    await create(key, { name: "One", company: "A", city: "Porto", phone: "+5511912345678" }),
    await create(key, { name: "Two", company: "B", phone: "+5511912340000" }),
  ];
  const [a, b] = (await pair()) as [Record_, Record_];
  const all = await merge(key, a.id, { with: b.id, prefer: "other" });
  assert.deepEqual([all.lead.name, all.lead.company, all.lead.city], ["Two", "B", "Porto"]);
  assert.deepEqual(
    [all.lead.phone, all.lead.phone_e164, all.lead.phones],
    ["+5511912340000", "+5511912340000", ["+5511912345678"]],
  );
  const [e, f] = (await pair()) as [Record_, Record_];
  const said = await refusalOf(
    await key.send("POST", `/api/v1/leads/${e.id}/merge`, { with: f.id, prefer: { tags: "other" } }),
  );
  assert.deepEqual([said.status, said.details[0]?.path], [400, "$.prefer.tags"]);
  for (const body of [{}, { with: f.id, prefer: "mine" }, { with: f.id, keep: 1 }, { with: e.id }])
    assert.equal((await refusalOf(await key.send("POST", `/api/v1/leads/${e.id}/merge`, body))).status, 400);
});

test("a merge keeps both leads' entire timelines, and marks the lead of each event", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const one = await create(key, { name: "One" });
  const two = await create(key, { company: "Two" });
  await call(key, one.id);
  await call(key, two.id, { external_id: "k" });
  const { merge_id } = await merge(key, one.id, { with: two.id });
  assert.deepEqual((await timeline(key, one.id)).sort(), [
    ["call.made", null],
    ["call.made", two.id],
    ["lead.created", null],
    ["lead.created", two.id],
    ["lead.merged", null],
    ["lead.updated", null],
  ]);
  assert.equal(
    (await call(key, one.id, { external_id: "k" })).status,
    200,
    "what came along is known here too",
  );
  const [event] = await the.sql("SELECT data FROM store.event WHERE type = 'lead.merged'");
  assert.deepEqual(event, { data: { merge_id, lead_id: two.id } });
});

test("a merged lead's id returns the surviving lead, over any number of merges", async () => {
  await using the = await world();
  const key = await writer(the);
  const [a, b, c] = [
    await create(key, { name: "a" }),
    await create(key, { name: "b" }),
    await create(key, { name: "c" }),
  ];
  await merge(key, b.id, { with: a.id });
  await merge(key, c.id, { with: b.id });
  for (const answer of [
    await key.send("GET", `/api/v1/leads/${a.id}`),
    await key.send("GET", `/api/v1/leads/${a.id}/events`),
    await key.send("GET", `/api/v1/leads/${a.id}/duplicates`),
    await call(key, a.id),
    await key.send("POST", `/api/v1/leads/${a.id}/merge`, { with: c.id }),
    await key.send("POST", `/api/v1/leads/${c.id}/merge`, { with: a.id }),
    await key.send("PATCH", `/api/v1/leads/${a.id}`, { name: "z" }),
    await key.send("DELETE", `/api/v1/leads/${a.id}`),
    await key.send("POST", `/api/v1/leads/${a.id}/restore`),
  ]) {
    const { status, code, details } = await refusalOf(answer);
    assert.deepEqual([status, code, details[0]?.message], [404, "merged", c.id]);
  }
  for (const op of ["update", "delete", "restore"]) {
    const items = [{ id: a.id }, { id: newId("lead") }];
    const { results } = await bodyOf<{
      results: { error: { code: string; details: { message: string }[] } }[];
    }>(await key.send("POST", "/api/v1/leads/bulk", { op, items }));
    assert.deepEqual(
      results.map(({ error }) => [error.code, error.details[0]?.message]),
      [
        ["merged", c.id],
        ["not_found", undefined],
      ],
      op,
    );
  }
  const current = await key.send("GET", `/api/leads/${a.id}/`);
  assert.deepEqual([current.status, (await problemOf(current)).code], [404, "merged"]);
  const { leads } = (await (await key.query({})).json()) as { leads: Record_[] };
  assert.deepEqual(
    leads.map(({ id }) => id),
    [c.id],
  );
});

test("undoing a merge brings both leads back with their own events; what came or changed since stays and is named", async () => {
  await using the = await world();
  const key = await writer(the);
  const one = await create(key, { name: "One", tags: ["a"] });
  const two = await create(key, {
    name: "Two",
    company: "Porto",
    city: "Faro",
    tags: ["b"],
    email: "two@example.org",
  });
  await call(key, two.id);
  const before = await get(key, two.id);
  const { merge_id } = await merge(key, one.id, { with: two.id });
  await call(key, one.id);
  await key.send("PATCH", `/api/v1/leads/${one.id}`, { city: "Lisboa", tags: ["a", "b", "c"] });
  const undone = await bodyOf<Unmerged>(await undo(key, merge_id));
  const [winner, loser] = undone.leads;
  assert.deepEqual(undone.kept.sort(), ["city", "tags"]);
  assert.deepEqual(
    [winner.id, winner.name, winner.company, winner.city, winner.tags, winner.email],
    [one.id, "One", null, "Lisboa", ["a", "c"], null],
  );
  for (const field of [
    "id",
    "name",
    "company",
    "city",
    "tags",
    "email",
    "created_at",
    "last_activity_at",
    "merged_into_id",
  ])
    assert.deepEqual(loser[field], before[field], field);
  assert.ok(loser.version > before.version);
  assert.deepEqual(await get(key, two.id), loser);
  assert.deepEqual(
    (await timeline(key, two.id)).map(([type, from]) => [type, from]),
    [
      ["lead.created", null],
      ["call.made", null],
      ["lead.unmerged", null],
    ],
  );
  const own = (await timeline(key, one.id)).map(([type]) => type);
  assert.deepEqual([own.filter((type) => type === "call.made").length, own.at(-1)], [1, "lead.unmerged"]);
  // The city is kept, so the undo can be continued; then nothing is left.
  assert.deepEqual((await bodyOf<Unmerged>(await undo(key, merge_id))).kept.sort(), ["city", "tags"]);
  await key.send("PATCH", `/api/v1/leads/${one.id}`, { city: null });
  assert.deepEqual((await bodyOf<Unmerged>(await undo(key, merge_id))).kept, ["tags"]);
  const again = await refusalOf(await undo(key, merge_id));
  assert.deepEqual([again.status, again.code], [409, "already_undone"]);
});

test("merges of merges are undone from the last to the first, and every event finds its way back", async () => {
  await using the = await world();
  const key = await writer(the);
  const leads = [
    await create(key, { name: "a" }),
    await create(key, { name: "b" }),
    await create(key, { name: "c" }),
  ];
  const [a, b, c] = leads as [Record_, Record_, Record_];
  for (const { id } of leads) await call(key, id, { external_id: "same" });
  const inner = await merge(key, b.id, { with: a.id });
  const outer = await merge(key, c.id, { with: b.id });
  assert.equal((await timeline(key, c.id)).filter(([type]) => type === "call.made").length, 3);
  assert.deepEqual(
    [(await refusalOf(await undo(key, inner.merge_id))).code, (await undo(key, outer.merge_id)).status],
    ["merged_since", 200],
  );
  assert.deepEqual(
    (await timeline(key, b.id)).filter(([type]) => type === "call.made").sort(),
    [
      ["call.made", a.id],
      ["call.made", null],
    ].sort(),
  );
  await bodyOf(await undo(key, inner.merge_id));
  for (const { id } of leads)
    assert.deepEqual(
      (await timeline(key, id)).filter(([type]) => type === "call.made"),
      [["call.made", null]],
    );
});

test("after racing merges and undos each lead exists once, and no event is lost", async () => {
  await using the = await world();
  const key = await writer(the);
  for (let round = 0; round < 5; round += 1) {
    const leads = await Promise.all([1, 2, 3].map((n) => create(key, { name: `n${n}` })));
    const [a, b, c] = leads.map(({ id }) => id) as [string, string, string];
    const send = (id: string, other: string) =>
      key.send("POST", `/api/v1/leads/${id}/merge`, { with: other });
    const answers = await Promise.all([
      send(a, b),
      send(b, a),
      send(a, c),
      send(c, b),
      call(key, a),
      call(key, b),
    ]);
    for (const { status } of answers) assert.ok([200, 201, 404].includes(status), String(status));
    const [{ n = 0 } = {}] = await the.sql<{ n: number }>(
      "SELECT count(*)::int AS n FROM store.lead WHERE id = ANY ($1) AND merged_into_id IS NULL",
      [[a, b, c]],
    );
    const merges = await the.sql<{ id: string }>(
      "SELECT id FROM store.merge WHERE winner_id = ANY ($1) ORDER BY id",
      [[a, b, c]],
    );
    assert.equal(n + merges.length, 3);
    const stray = await the.sql(
      `SELECT e.id FROM store.event e JOIN store.lead l ON l.project_id = e.project_id AND l.id = e.lead_id WHERE l.merged_into_id IS NOT NULL`,
    );
    assert.deepEqual(stray, []);
    const last = merges.at(-1)?.id ?? "";
    const undoings = await Promise.all(Array.from({ length: 4 }, () => undo(key, last)));
    assert.deepEqual(undoings.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  }
});

test("an upsert that races a merge never finds the merged lead", async () => {
  await using the = await world();
  const key = await writer(the);
  for (let round = 0; round < 5; round += 1) {
    const email = `r${round}@example.org`;
    const one = await create(key, { name: "One" });
    const two = await create(key, { email });
    const [merged, ...upserts] = await Promise.all([
      key.send("POST", `/api/v1/leads/${one.id}/merge`, { with: two.id }),
      ...[1, 2, 3].map((n) =>
        key.send("PUT", "/api/v1/leads/upsert", { match_on: "email", lead: { email, city: `c${n}` } }),
      ),
    ]);
    assert.equal(merged?.status, 200);
    for (const answer of upserts) assert.equal(answer.status, 200, await answer.text());
    assert.deepEqual(
      await the.sql("SELECT id FROM store.lead WHERE email = $1 AND merged_into_id IS NULL", [email]),
      [{ id: one.id }],
    );
  }
});

test("a merge whose lead was deleted later cannot be undone until the lead is restored", async () => {
  await using the = await world();
  const key = await writer(the);
  const [one, two] = [await create(key, { name: "One" }), await create(key, { name: "Two" })];
  const { merge_id } = await merge(key, one.id, { with: two.id });
  await key.send("DELETE", `/api/v1/leads/${one.id}`);
  assert.equal((await refusalOf(await key.send("GET", `/api/v1/leads/${two.id}`))).code, "not_found");
  assert.equal((await refusalOf(await undo(key, merge_id))).code, "lead_deleted");
  await key.send("POST", `/api/v1/leads/${one.id}/restore`);
  await bodyOf(await undo(key, merge_id));
});

test("merges of another project cannot be made or undone, and look as if they did not exist", async () => {
  await using the = await world();
  const key = await writer(the);
  const other = await the.newProject(the.person, "Other");
  const theirs = await writer(the, other.id);
  const [one, two] = [await create(theirs, { name: "One" }), await create(theirs, { name: "Two" })];
  const own = await create(key, { name: "Own" });
  const { merge_id } = await merge(theirs, one.id, { with: two.id });
  for (const answer of [
    await key.send("POST", `/api/v1/leads/${one.id}/merge`, { with: own.id }),
    await key.send("POST", `/api/v1/leads/${own.id}/merge`, { with: one.id }),
    await key.send("POST", `/api/v1/leads/${own.id}/merge`, { with: "nonsense" }),
    await key.send("GET", `/api/v1/leads/${two.id}/duplicates`),
    await undo(key, merge_id),
    await undo(key, `mrg_${"0".repeat(26)}`),
    await undo(key, "nonsense"),
  ])
    assert.deepEqual([answer.status, (await refusalOf(answer)).code], [404, "not_found"]);
  const reader = await the.key();
  const [forbidden, alike] = [
    await reader.send("POST", `/api/v1/leads/${own.id}/merge`, {}),
    await undo(reader, "x"),
  ];
  assert.deepEqual([forbidden.status, alike.status], [403, 403]);
});

test("duplicates are found by e-mail, phone, and name with company, however they are written", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  const own = await create(key, {
    name: "José Álvares",
    company: "Café Ltda",
    email: "jose@example.org",
    emails: ["j2@example.org"],
    phone: "+55 11 91234-5678",
    external_id: "x-1",
  });
  const found = {
    email: await create(key, { email: "JOSE@example.ORG" }),
    among: await create(key, { emails: ["Jose@Example.org"] }),
    second: await create(key, { email: "J2@example.org" }),
    phone: await create(key, { phone: "(11) 91234-5678" }),
    phones: await create(key, { phones: ["11 9.1234-5678"] }),
    name: await create(key, { first_name: "jose", last_name: "alvares", company: "CAFE LTDA" }),
    several: await create(key, { name: "jose alvares", company: "café ltda", email: "jose@example.org" }),
  };
  await create(key, { name: "José Álvares" });
  await create(key, { company: "Café Ltda", phones: ["21 91234-5678"] });
  const gone = await create(key, { email: "jose@example.org" });
  await key.send("DELETE", `/api/v1/leads/${gone.id}`);
  interface Duplicates {
    duplicates: { lead: Record_; score: number; reasons: { code: string; value: string | null }[] }[];
    next_cursor: null;
  }
  const path = `/api/v1/leads/${own.id}/duplicates`;
  const { duplicates, next_cursor } = await bodyOf<Duplicates>(await key.send("GET", path));
  assert.equal(next_cursor, null);
  const reasons = Object.fromEntries(
    duplicates.map(({ lead, reasons }) => [lead.id, reasons.map(({ code }) => code).join()]),
  );
  assert.deepEqual(reasons, {
    [found.email.id]: "email",
    [found.among.id]: "email",
    [found.second.id]: "email",
    [found.phone.id]: "phone",
    [found.phones.id]: "phone",
    [found.name.id]: "name_and_company",
    [found.several.id]: "email,name_and_company",
  });
  assert.equal(duplicates[0]?.lead.id, found.several.id);
  assert.ok(duplicates.every(({ score }, i) => i === 0 || score <= (duplicates[i - 1]?.score ?? 0)));
  const two = await bodyOf<Duplicates>(await key.send("GET", `${path}?limit=2`));
  assert.equal(two.duplicates.length, 2);
  assert.equal((await refusalOf(await key.send("GET", `${path}?limit=501`))).status, 400);
  const lonely = await addLeads(the, [{}]);
  assert.deepEqual(await bodyOf(await key.send("GET", `/api/v1/leads/${lonely[0]}/duplicates`)), {
    duplicates: [],
    next_cursor: null,
  });
});
