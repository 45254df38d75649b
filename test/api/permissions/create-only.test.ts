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
  for (const external_id of ["crm-1", "crm-2"]) {
    const { status, code, message } = await refusalOf(
      await form.send("POST", "/api/v1/leads", { external_id }),
    );
    assert.deepEqual([status, code], [403, "external_id_withheld"], "whether a lead has it or not");
    assert.match(message, /leads\/upsert/, "it says what to do instead");
  }
  const blind = await the.key(["datasets:read"]);
  await refused(blind, "POST", "/api/v1/leads", { external_id: "crm-1" });
  await refused(form, "GET", `/api/v1/leads/${id}`);
  await refused(form, "PATCH", `/api/v1/leads/${id}`, { score: 1 });
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

test("with leads:create, an upsert gives no external id to a lead that is known, whoever takes it meanwhile", async () => {
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
      { email: "known@example.org", external_id: null, score: 5 },
      { email: "nobody@example.org", external_id: "crm-nobody@example.org", score: 5 },
    ],
  );
});

/** How a form that knows a lead's address sends what it has; each of them takes another way through the service. */
const FORMS: Record<string, object> = {
  "by e-mail": { email: "ana@example.org" },
  "by phone": { phone: "+55 11 91234-5678" },
  "by external id": { external_id: "crm-1" },
  "by e-mail, with further ones": { email: "ana@example.org", emails: ["ana@work.example"] },
  "by match_on": { email: "ana@example.org", match_on: "email" },
  "by match_on, with the external id of another lead": {
    ...{ email: "ana@example.org", match_on: "email", external_id: "crm-2" },
  },
  "by match_on, with a new external id": {
    ...{ email: "ana@example.org", match_on: "email", external_id: "crm-3", fill: false },
  },
};

test("with leads:create, a known lead is filled and can opt out, and nothing else of it is changed", async () => {
  await using the = await world({ alone: true });
  const writer = await the.key(["leads:read", "leads:write", "schema:write"]);
  const form = await the.key(["leads:create"]);
  await bodyOf(
    await writer.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" }),
    201,
  );
  await bodyOf(
    await writer.send("POST", "/api/v1/fields", { key: "size", label: "Size", type: "text" }),
    201,
  );
  await bodyOf(await writer.send("PUT", "/api/v1/statuses", { statuses: ["new", "contacted", "won"] }));
  const own = {
    ...{ external_id: "crm-1", name: "Ana", email: "ana@example.org", phone: "+5511912345678" },
    ...{ status: "contacted", tags: ["vip"], custom: { plan: "gold" }, do_not_contact: true },
  };
  await bodyOf(
    await writer.send("POST", "/api/v1/leads", { external_id: "crm-2", email: "bo@example.org" }),
    201,
  );
  for (const [name, { match_on, fill, ...by }] of Object.entries(FORMS) as [
    string,
    Record<string, unknown>,
  ][]) {
    const { id } = await bodyOf<{ id: string }>(await writer.send("POST", "/api/v1/leads", own), 201);
    const sent = {
      ...{
        name: "Mallory",
        status: "won",
        tags: ["x"],
        do_not_contact: false,
        company: "Acme",
        owner_id: the.person.id,
      },
      ...{ custom: { plan: "free", size: "L" } },
      ...by,
    };
    const how = { ...(match_on === undefined ? {} : { match_on }), ...(fill === undefined ? {} : { fill }) };
    await bodyOf(await form.send("PUT", "/api/v1/leads/upsert", { ...how, lead: sent }), 202);
    const lead = await bodyOf<Record<string, unknown>>(await writer.send("GET", `/api/v1/leads/${id}`));
    const { emails, company, custom, owner_id: owner, ...rest } = lead;
    for (const field of [
      "external_id",
      "name",
      "email",
      "phone",
      "status",
      "do_not_contact",
      "tags",
    ] as const)
      assert.deepEqual(rest[field], own[field], `${name}: ${field}`);
    assert.deepEqual([company, custom, owner], ["Acme", { plan: "gold", size: "L" }, null], name);
    assert.deepEqual(emails, by.emails ?? [], name);
    const patch = { do_not_contact: false };
    await bodyOf(await writer.send("PATCH", `/api/v1/leads/${id}`, patch));
    await bodyOf(
      await form.send("PUT", "/api/v1/leads/upsert", { ...how, lead: { ...by, do_not_contact: true } }),
      202,
    );
    const after = await bodyOf<Record<string, unknown>>(await writer.send("GET", `/api/v1/leads/${id}`));
    assert.equal(after.do_not_contact, true, `${name}: sets an opt-out`);
    assert.equal((await writer.send("DELETE", `/api/v1/leads/${id}`)).status, 204);
  }
  const [{ leads } = { leads: 0 }] = await the.sql<{ leads: number }>(
    "SELECT count(*)::int AS leads FROM store.lead WHERE deleted_at IS NULL",
  );
  assert.equal(leads, 1, "none was created besides");
});

test("with leads:create, a blank external id of a known lead stays so, and a new lead has the one that was sent", async () => {
  await using the = await world();
  const [writer, form] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:create"])];
  const { id } = await bodyOf<{ id: string }>(
    await writer.send("POST", "/api/v1/leads", { email: "ana@example.org" }),
    201,
  );
  const send = (lead: object) => form.send("PUT", "/api/v1/leads/upsert", { lead });
  for (let n = 0; n < 2; n += 1) {
    await bodyOf(await send({ email: "ana@example.org", external_id: "crm-7", name: "Ana" }), 202);
    await bodyOf(await send({ email: "bo@example.org", external_id: "form-1", status: "new" }), 202);
  }
  const { leads } = await bodyOf<{
    leads: { id: string; external_id: string | null; name: string | null }[];
  }>(await writer.send("POST", "/api/v1/leads/search", { sort: [{ field: "created_at", dir: "asc" }] }));
  assert.deepEqual(
    leads.map((lead) => [lead.external_id, lead.name]),
    [
      [null, "Ana"],
      ["form-1", null],
    ],
  );
  assert.equal(leads[0]?.id, id);
});

test("with leads:create, an event is recorded with one answer whoever is stored, and only what is invalid in itself is refused", async () => {
  await using the = await world({ alone: true });
  const [writer, form] = [await the.key(["leads:read", "leads:write"]), await the.key(["leads:create"])];
  const make = async (lead: object) =>
    (await bodyOf<{ id: string }>(await writer.send("POST", "/api/v1/leads", lead), 201)).id;
  const id = await make({ email: "ana@example.org", external_id: "crm-1", status: "new" });
  const [twin, merged] = [
    await make({ email: "twins@example.org" }),
    await make({ email: "twins@example.org" }),
  ];
  const gone = await make({ email: "gone@example.org" });
  assert.equal((await writer.send("DELETE", `/api/v1/leads/${gone}`)).status, 204);
  const event = { type: "form.sent", external_id: "form-1", source: "website" };
  const batch = (...leads: object[]) =>
    form.send("POST", "/api/v1/events/batch", { events: leads.map((lead) => ({ ...event, ...lead })) });
  const one = (lead: string) => form.send("POST", `/api/v1/leads/${lead}/events`, event);
  const unknown = `${id.slice(0, -4)}zzzz`;
  const answers = new Set<string>();
  for (const send of [
    () => batch({ lead: { email: "ana@example.org" } }),
    () => batch({ lead: { email: "ana@example.org" } }),
    () => batch({ lead: { external_id: "crm-1" } }, { lead_id: id }),
    () => batch({ lead: { email: "nobody@example.org" } }),
    () => batch({ lead: { email: "twins@example.org" } }),
    () => batch({ lead: { email: "gone@example.org" } }, { lead_id: gone }, { lead_id: unknown }),
    () => one(id),
    () => one(unknown),
    () => one(gone),
  ])
    answers.add(await heard(await send()));
  await bodyOf(await writer.send("POST", `/api/v1/leads/${twin}/merge`, { with: merged }));
  answers.add(await heard(await one(merged)));
  assert.deepEqual([...answers].length, 1, [...answers].join("\n"));
  assert.match([...answers][0] ?? "", /^\[202,.*accepted/);
  const events = await the.sql<{ lead_id: string }>(
    "SELECT lead_id FROM store.event WHERE type = 'form.sent'",
  );
  assert.deepEqual(events, [{ lead_id: id }], "recorded once, and of no other lead");
  for (const bad of [
    { type: "lead.updated", lead_id: id },
    { lead_id: id, occurred_at: "never" },
    { lead: {} },
  ]) {
    const refused = await refusalOf(await batch(bad));
    assert.ok(refused.status === 400 || refused.status === 422, JSON.stringify(refused));
  }
});
