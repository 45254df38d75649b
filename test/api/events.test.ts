import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { addLeads } from "./support/leads.ts";
import { bodyOf } from "./support/v1.ts";
import { leadOf, refusalOf, writer } from "./support/writing.ts";

interface Event {
  id: string;
  lead_id: string;
  type: string;
  title: string;
  source: string;
  external_id: string | null;
  occurred_at: string;
  data: Record<string, unknown>;
  actor: { type: string; id: string; label: string };
}

interface Batch {
  created: number;
  unchanged: number;
  failed: number;
  results: { status: number; id: string | null; lead_id: string | null; error: { code: string } | null }[];
}

test("an event from outside stands on the timeline as it was sent, with a title and who sent it", async () => {
  await using the = await world();
  const key = await writer(the);
  const [id = ""] = await addLeads(the, [{ name: "Ana" }]);
  const event = await bodyOf<Event>(
    await key.send("POST", `/api/v1/leads/${id}/events`, {
      type: "email.opened",
      occurred_at: "2026-03-31T14:30:00-03:00",
      data: { subject: "Our  offer", __proto__x: 1 },
    }),
    201,
  );
  assert.deepEqual(
    [event.lead_id, event.type, event.title, event.occurred_at, event.source, event.actor],
    [
      id,
      "email.opened",
      "Email opened: Our offer",
      "2026-03-31T17:30:00+00:00",
      "api",
      { type: "key", id: key.id, label: "test" },
    ],
  );
  const plain = await bodyOf<Event>(
    await key.send("POST", `/api/v1/leads/${id}/events`, { type: "demo.held_twice", title: "  Demo " }),
    201,
  );
  assert.deepEqual([plain.title, plain.data], ["Demo", {}]);
  const { events } = await bodyOf<{ events: Event[] }>(await key.send("GET", `/api/v1/leads/${id}/events`));
  assert.deepEqual(
    events.map((each) => each.id),
    [plain.id, event.id],
  );
});

test("the same source and key is one event of a lead, however often and at once it is sent", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const [id = "", other = ""] = await addLeads(the, [{ name: "Ana" }, { name: "Bea" }]);
  const send = (lead: string, more: object = {}) =>
    key.send("POST", `/api/v1/leads/${lead}/events`, {
      type: "email.opened",
      source: "mailer",
      external_id: "m-1",
      ...more,
    });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(id)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
  const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as Event).id));
  assert.equal(new Set(ids).size, 1);
  const again = await bodyOf<Event>(await send(id, { title: "Another" }));
  assert.equal(again.title, "Email opened");
  assert.equal((await send(id, { source: "other" })).status, 201);
  assert.equal((await send(other)).status, 201);
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.event"), [{ n: 3 }]);
});

test("an event moves last_activity_at forward, never back nor into the future, and leaves the version alone", async () => {
  await using the = await world();
  const key = await writer(the);
  const made = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  const at = async (occurred: string) => {
    await key.send("POST", `/api/v1/leads/${made.id}/events`, { type: "call.made", occurred_at: occurred });
    return await leadOf(await key.send("GET", `/api/v1/leads/${made.id}`));
  };
  assert.equal((await at("2026-01-02T00:00:00Z")).last_activity_at, "2026-01-02T00:00:00+00:00");
  assert.equal((await at("2025-01-02T00:00:00Z")).last_activity_at, "2026-01-02T00:00:00+00:00");
  const ahead = await at("2999-01-02T00:00:00Z");
  assert.ok(Date.parse(String(ahead.last_activity_at)) < Date.now() + 60_000);
  assert.deepEqual([ahead.version, ahead.updated_at], [made.version, made.updated_at]);
});

test("an event that cannot be kept is refused with the path of what is wrong", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const [id = ""] = await addLeads(the, [{ name: "Ana" }]);
  const deep = (n: number): object => (n === 0 ? {} : { a: deep(n - 1) });
  const cases: [unknown, number, string, string?][] = [
    [{}, 422, "required", "$.type"],
    [{ type: "opened" }, 422, "bad_event_type", "$.type"],
    [{ type: "Email.Opened" }, 422, "bad_event_type", "$.type"],
    [{ type: "lead.created" }, 422, "reserved_type", "$.type"],
    [{ type: "a.b", occurred_at: "yesterday" }, 422, "not_a_datetime", "$.occurred_at"],
    [{ type: "a.b", occurred_at: "9999-12-31T23:59:59-12:00" }, 422, "not_a_datetime", "$.occurred_at"],
    [{ type: "a.b", occurred_at: "0001-01-01T00:00:00+12:00" }, 422, "not_a_datetime", "$.occurred_at"],
    [{ type: "a.b", occurred_at: "2026-01-01T00:00:00" }, 422, "not_a_datetime", "$.occurred_at"],
    [{ type: "a.b", title: "x".repeat(501) }, 422, "too_long", "$.title"],
    [{ type: "a.b", title: 4 }, 422, "type", "$.title"],
    [{ type: "a.b", external_id: "a\0b" }, 422, "nul", "$.external_id"],
    [{ type: "a.b", data: [] }, 422, "type", "$.data"],
    [{ type: "a.b", data: { text: "x".repeat(16_400) } }, 422, "too_large", "$.data"],
    [{ type: "a.b", data: deep(9) }, 422, "too_deep", "$.data"],
    ['{"type":"a.b","data":{"x":"\\u0000"}}', 422, "bad_text", "$.data"],
    ['{"type":"a.b","data":{"\\ud800":1}}', 422, "bad_text", "$.data"],
    ['{"type":"a.b","data":{"x":1e999}}', 422, "not_a_number", "$.data"],
    [{ type: "a.b", kind: 1 }, 400, "unknown_key", "$.kind"],
    ["[]", 400, "type", "$"],
  ];
  for (const [body, ...said] of cases) {
    const { status, code, details } = await refusalOf(
      await key.send("POST", `/api/v1/leads/${id}/events`, body),
    );
    assert.deepEqual([status, code, details[0]?.path], said, JSON.stringify(body).slice(0, 100));
  }
  assert.deepEqual(await the.sql("SELECT id FROM store.event"), []);
  const kept = await bodyOf<Event>(
    await key.send(
      "POST",
      `/api/v1/leads/${id}/events`,
      '{"type":"a.b","data":{"__proto__":{"x":1},"y":[1.5,null,true]}}',
    ),
    201,
  );
  assert.equal(JSON.stringify(kept.data), '{"y":[1.5,null,true],"__proto__":{"x":1}}');
});

test("a batch names its leads by id, external id or e-mail, and one invalid event does not affect the others", async () => {
  await using the = await world();
  const key = await writer(the);
  const [ana = "", bea = "", deleted = ""] = await addLeads(the, [
    { email: "Ana@Example.org", external_id: "a-1" },
    { email: "twice@example.org" },
    { email: "gone@example.org", deleted_at: "2026-01-01" },
    { email: "TWICE@example.org" },
  ]);
  const other = await the.newProject(the.person, "Other");
  const [foreign = ""] = await addLeads(the, [{ email: "x@example.org", external_id: "f-1" }], other.id);
  const events = [
    { type: "call.made", lead_id: ana },
    { type: "call.made", lead: { external_id: "a-1" }, external_id: "k" },
    { type: "call.made", lead: { email: "ana@example.ORG" }, external_id: "k" },
    { type: "call.made", lead_id: bea, occurred_at: "never" },
    { type: "call.made", lead: { email: "twice@example.org" } },
    { type: "call.made", lead_id: deleted },
    { type: "call.made", lead_id: foreign },
    { type: "call.made", lead: { external_id: "f-1" } },
    { type: "call.made" },
    { type: "call.made", lead_id: ana, lead: { email: "ana@example.org" } },
    "text",
    { type: "call.made", lead_id: "nonsense" },
  ];
  const batch = await bodyOf<Batch>(await key.send("POST", "/api/v1/events/batch", { events }));
  assert.deepEqual([batch.created, batch.unchanged, batch.failed], [2, 1, 9]);
  assert.deepEqual(
    batch.results.map(({ status, error }) => [status, error?.code]),
    [
      [201, undefined],
      [201, undefined],
      [200, undefined],
      [422, "not_a_datetime"],
      [409, "ambiguous"],
      [404, "not_found"],
      [404, "not_found"],
      [404, "not_found"],
      [400, "which_lead"],
      [400, "which_lead"],
      [400, "type"],
      [404, "not_found"],
    ],
  );
  assert.equal(batch.results[1]?.id, batch.results[2]?.id);
  assert.deepEqual(
    batch.results.slice(0, 3).map(({ lead_id }) => lead_id),
    [ana, ana, ana],
  );
  for (const body of [{ events: [] }, { events: Array(501).fill(events[0]) }, {}, { events, more: 1 }])
    assert.equal((await refusalOf(await key.send("POST", "/api/v1/events/batch", body))).status, 400);
});

test("racing batches over the same leads and keys end without a deadlock and without a double", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const leads = await addLeads(
    the,
    Array.from({ length: 50 }, (_, i) => ({ external_id: `x-${i}` })),
  );
  const events = leads.flatMap((lead_id, i) => [
    { type: "call.made", lead_id, external_id: `a-${i}` },
    { type: "call.made", lead: { external_id: `x-${i}` }, external_id: `b-${i}` },
  ]);
  const batches = await Promise.all(
    Array.from({ length: 8 }, async (_, n) =>
      bodyOf<Batch>(
        await key.send("POST", "/api/v1/events/batch", {
          events: n % 2 === 0 ? events : events.toReversed(),
        }),
      ),
    ),
  );
  assert.equal(
    batches.reduce((sum, { created }) => sum + created, 0),
    100,
  );
  assert.equal(
    batches.reduce((sum, { failed }) => sum + failed, 0),
    0,
  );
  assert.deepEqual(await the.sql("SELECT count(*)::int AS n FROM store.event"), [{ n: 100 }]);
});

test("events of another project's lead, a deleted one and an unknown one cannot be read or written", async () => {
  await using the = await world();
  const key = await writer(the);
  const other = await the.newProject(the.person, "Other");
  const [foreign = ""] = await addLeads(the, [{}], other.id);
  const [deleted = ""] = await addLeads(the, [{ deleted_at: "2026-01-01" }]);
  for (const id of [foreign, deleted, `lead_${"0".repeat(26)}`, "nonsense"]) {
    for (const answer of [
      await key.send("GET", `/api/v1/leads/${id}/events`),
      await key.send("POST", `/api/v1/leads/${id}/events`, { type: "call.made" }),
    ]) {
      const { status, code, message } = await refusalOf(answer);
      assert.deepEqual([status, code, message], [404, "not_found", "No such lead in this project."]);
    }
  }
});

test("recording requires leads:write, reading leads:read, and a caller who may not read is not shown what was recorded", async () => {
  await using the = await world();
  const [id = ""] = await addLeads(the, [{}]);
  const [reader, only] = [await the.key(["leads:read"]), await the.key(["leads:write"])];
  const path = `/api/v1/leads/${id}/events`;
  assert.equal((await refusalOf(await reader.send("POST", path, { nonsense: 1 }))).status, 403);
  assert.equal((await refusalOf(await reader.send("POST", "/api/v1/events/batch", {}))).status, 403);
  assert.equal((await refusalOf(await only.send("GET", path))).status, 403);
  assert.equal((await refusalOf(await only.send("GET", "/api/v1/events"))).status, 403);
  const told = await bodyOf<Event>(
    await only.send("POST", path, { type: "note.added", external_id: "n", data: { text: "secret" } }),
    201,
  );
  assert.deepEqual(Object.keys(told), ["id", "lead_id"]);
  const repeated = { type: "call.made", external_id: "n" };
  assert.deepEqual(await bodyOf<Event>(await only.send("POST", path, repeated)), told);
  const nobody = await fetch(`${the.baseUrl}${path}`, { method: "POST", body: "{}" });
  assert.equal(nobody.status, 401);
});

test("an event whose e-mail more than twenty leads have names the twenty oldest to choose from", async () => {
  await using the = await world();
  const key = await writer(the);
  const ids = await addLeads(
    the,
    Array.from({ length: 22 }, () => ({ email: "info@example.org" })),
  );
  const { results } = await bodyOf<{
    results: { error: { code: string; details: { message: string }[] } }[];
  }>(
    await key.send("POST", "/api/v1/events/batch", {
      events: [{ type: "call.made", lead: { email: "info@example.org" } }],
    }),
  );
  assert.equal(results[0]?.error.code, "ambiguous");
  assert.deepEqual(
    results[0]?.error.details.map(({ message }) => message),
    ids.sort().slice(0, 20),
  );
});
