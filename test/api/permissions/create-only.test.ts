import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

/** Everything of an answer that may differ with what is stored. */
async function heard(answer: Response): Promise<string> {
  const own = ["date", "x-request-id", "ratelimit", "connection", "keep-alive"];
  const headers = [...answer.headers].filter(([name]) => !own.includes(name));
  return JSON.stringify([answer.status, headers, await answer.text()]);
}

test("with leads:create, an upsert gives one answer whatever is stored, create the id of its own lead, and both store what they send", async () => {
  await using the = await world({ alone: true });
  const [reader, form] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:create"])];
  const make = async (lead: object) =>
    (await bodyOf<{ id: string }>(await reader.send("POST", "/api/v1/leads", lead), 201)).id;
  const known = await make({ email: "known@example.org", name: "Known" });
  const oldest = await make({ email: "twins@example.org" });
  const twin = await make({ email: "twins@example.org", external_id: "form-2" });
  await make({ email: "held@example.org", external_id: "form-1" });
  const answers = new Set<string>();
  const upsert = async (lead: object, more: object = {}) =>
    answers.add(await heard(await form.send("PUT", "/api/v1/leads/upsert", { lead, ...more })));
  await upsert({ email: "nobody@example.org", score: 5 });
  await upsert({ email: "known@example.org", score: 5 });
  await upsert({ email: "known@example.org", score: 5 });
  await upsert({ email: "twins@example.org", score: 5 });
  // the external id is another lead's
  await upsert({ email: "fresh@example.org", external_id: "form-1", score: 5 }, { match_on: "email" });
  assert.deepEqual([...answers].length, 1, [...answers].join("\n"));
  assert.match([...answers][0] ?? "", /^\[202,.*accepted/);
  const made = await bodyOf<{ id: string }>(
    await form.send("POST", "/api/v1/leads", { email: "known@example.org" }),
    201,
  );
  assert.deepEqual(made, { id: made.id, version: 1 });
  assert.notEqual(made.id, known, "a lead of its own");
  const scores = await the.sql<{ id: string; email: string; score: number | null }>(
    "SELECT id, email, score FROM store.lead ORDER BY id",
  );
  const scoreOf = (id: string) => scores.find((lead) => lead.id === id)?.score;
  assert.deepEqual([scoreOf(known), scoreOf(oldest), scoreOf(twin)], [5, null, null]);
  assert.deepEqual(
    scores.slice(4).map(({ email, score }) => [email, score]),
    [
      ["nobody@example.org", 5],
      ["fresh@example.org", 5],
      ["known@example.org", null],
    ],
  );
});

test("with leads:create, nothing else is allowed, and an external id is sent only to upsert", async () => {
  await using the = await world();
  const [reader, form] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:create"])];
  const lead = { email: "a@example.org", external_id: "crm-1" };
  const { id } = await bodyOf<{ id: string }>(await reader.send("POST", "/api/v1/leads", lead), 201);
  const refused = async (key: KeyActor, method: string, path: string, body?: object) => {
    const { status, code } = await refusalOf(await key.send(method, path, body));
    assert.deepEqual([status, code], [403, "missing_permission"], `${method} ${path}`);
  };
  for (const external_id of ["crm-1", "crm-2"]) await refused(form, "POST", "/api/v1/leads", { external_id });
  await refused(form, "GET", `/api/v1/leads/${id}`);
  await refused(form, "PATCH", `/api/v1/leads/${id}`, { score: 1 });
  await refused(form, "POST", `/api/v1/leads/${id}/events`, { type: "form.sent" });
  await refused(form, "POST", "/api/v1/events/batch", { events: [{ lead_id: id, type: "form.sent" }] });
  await refused(form, "POST", "/api/v1/leads/bulk", { op: "create", items: [{ name: "B" }] });
  await refused(form, "POST", "/api/v1/leads/search", {});
  await refused(form, "GET", "/api/v1/imports");
  await refused(form, "GET", "/api/v1/jobs");
});

test("the schema of leads is changed with schema:write, and not with leads:write", async () => {
  await using the = await world();
  const [writer, keeper] = [await the.key(["leads:read", "leads:write"]), await the.key(["schema:write"])];
  const field = { key: "plan", label: "Plan", type: "text" };
  for (const [method, path, body, status] of [
    ["POST", "fields", field, 201],
    ["PATCH", "fields/plan", { label: "The plan" }, 200],
    ["PUT", "statuses", { statuses: ["new", "won"] }, 200],
    ["PUT", "quiet-fields", { fields: ["score"] }, 200],
    ["DELETE", "fields/plan", undefined, 204],
  ] as const) {
    const { status: refused, message } = await refusalOf(await writer.send(method, `/api/v1/${path}`, body));
    assert.equal(refused, 403, path);
    assert.match(message, /schema:write/);
    assert.equal((await keeper.send(method, `/api/v1/${path}`, body)).status, status, path);
  }
});

test("the commit of an import creates custom fields only with schema:write, and fills those that are there without it", async () => {
  await using the = await world({ alone: true });
  const writer = await the.key(["leads:read", "leads:write"]);
  const both = await the.key(["leads:read", "leads:write", "schema:write"]);
  const mapping = {
    columns: { Email: "email", Plan: "custom.plan" },
    fields: { plan: { label: "Plan", type: "text" } },
  };
  const mapped = async (email: string) => {
    const uploaded = await fetch(`${the.baseUrl}/api/v1/imports`, {
      method: "POST",
      headers: { Authorization: `Bearer ${writer.text}`, "Content-Type": "text/csv" },
      body: `Email,Plan\n${email},gold\n`,
    });
    const { id } = await bodyOf<{ id: string }>(uploaded, 201);
    await bodyOf(await writer.send("PUT", `/api/v1/imports/${id}/mapping`, mapping));
    return `/api/v1/imports/${id}/commit`;
  };
  const first = await mapped("a@example.org");
  const { status, message } = await refusalOf(await writer.send("POST", first));
  assert.equal(status, 403);
  assert.match(message, /schema:write/);
  assert.deepEqual(await the.sql("SELECT key FROM store.custom_field"), []);
  await bodyOf(await both.send("POST", first), 202);
  await bodyOf(await writer.send("POST", await mapped("b@example.org")), 202);
  assert.deepEqual(await the.sql("SELECT key FROM store.custom_field"), [{ key: "plan" }]);
});

test("with leads:create, an upsert whose external id others take each time it is written is stored without it", async () => {
  await using the = await world({ alone: true });
  const [writer, form] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:create"])];
  await bodyOf(await writer.send("POST", "/api/v1/leads", { email: "known@example.org" }), 201);
  // Each attempt meets what it would if another writer were always faster.
  await the.sql(`CREATE FUNCTION store.faster() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE unique_violation USING CONSTRAINT = 'lead_external_id',
      MESSAGE = 'duplicate key value violates unique constraint "lead_external_id"'; END $$`);
  await the.sql(`CREATE TRIGGER faster BEFORE UPDATE ON store.lead FOR EACH ROW
    WHEN (NEW.external_id IS DISTINCT FROM OLD.external_id) EXECUTE FUNCTION store.faster()`);
  const upsert = async (key: KeyActor, email: string) =>
    await key.send("PUT", "/api/v1/leads/upsert", {
      match_on: "email",
      lead: { email, external_id: `crm-${email}`, score: 5 },
    });
  const refused = await refusalOf(await upsert(writer, "known@example.org"));
  assert.deepEqual([refused.status, refused.code], [409, "external_id_taken"]);
  const unknown = await heard(await upsert(form, "nobody@example.org"));
  assert.match(unknown, /^\[202,.*accepted/);
  assert.equal(await heard(await upsert(form, "known@example.org")), unknown);
  assert.deepEqual(
    await the.sql("SELECT email, external_id, score FROM store.lead WHERE score = 5 ORDER BY id"),
    [
      { email: "nobody@example.org", external_id: "crm-nobody@example.org", score: 5 },
      { email: "known@example.org", external_id: null, score: 5 },
    ],
  );
});
