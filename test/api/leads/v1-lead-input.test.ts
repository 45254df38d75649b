import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { leadOf, refusalOf, writer } from "../support/writing.ts";

/** Refused leads, with the status, the code and the path of the error. */
const WRONG: [unknown, number, string, string][] = [
  [{ nome: "x" }, 400, "unknown_key", "$.nome"],
  [{ updated_at: "2026-01-01T00:00:00Z" }, 400, "read_only", "$.updated_at"],
  [{ emails: ["a@b.co", "no"] }, 422, "not_an_email", "$.emails"],
  [{ status: "nowhere" }, 422, "unknown_option", "$.status"],
  [{ owner_id: "per_nobody" }, 422, "not_a_member", "$.owner_id"],
  [{ custom: { seats: 1.5 } }, 422, "type", "$.custom.seats"],
  [{ custom: { plan: "gold" } }, 422, "unknown_option", "$.custom.plan"],
  [{ custom: { seen: "9999-12-31T23:59:59-12:00" } }, 422, "not_a_datetime", "$.custom.seen"],
];

const FIELDS = `INSERT INTO store.custom_field (project_id, key, label, type, options) VALUES
  ($1, 'plan', 'Plan', 'enum', '{free,pro}'), ($1, 'seats', 'Seats', 'integer', '{}'), ($1, 'since', 'Since', 'date', '{}'),
  ($1, 'seen', 'Seen', 'datetime', '{}')`;

test("an invalid lead is refused with the path of its error, the same way in every call, and nothing is written", async () => {
  await using the = await world({ alone: true });
  await the.sql(FIELDS, [the.project.id]);
  const key = await writer(the);
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  for (const [lead, status, code, path] of WRONG) {
    for (const [method, where] of [
      ["POST", "/api/v1/leads"],
      ["PATCH", `/api/v1/leads/${id}`],
    ] as const) {
      const said = await refusalOf(await key.send(method, where, lead));
      assert.deepEqual(
        [said.status, said.code, said.details[0]?.path],
        [status, code, path],
        JSON.stringify(lead),
      );
    }
  }
  const several = await refusalOf(
    await key.send("POST", "/api/v1/leads", { email: "x", score: "y", custom: { seats: [] } }),
  );
  assert.deepEqual(
    several.details.map(({ path }) => path),
    ["$.email", "$.score", "$.custom.seats"],
  );
  assert.equal((await refusalOf(await key.send("POST", "/api/v1/leads", {}))).code, "empty");
  assert.equal((await refusalOf(await key.send("POST", "/api/v1/leads", "[]"))).status, 400);
  assert.equal((await refusalOf(await key.send("POST", "/api/v1/leads", "{"))).code, "not_json");
  assert.equal((await refusalOf(await key.send("DELETE", `/api/v1/leads/${id}?force=1`))).status, 400);
  assert.equal((await refusalOf(await key.send("GET", "/api/v1/nothing"))).code, "not_found");
  assert.equal((await refusalOf(await key.send("PUT", "/api/v1/leads"))).status, 405);
  assert.deepEqual(await the.sql("SELECT name, version FROM store.lead"), [{ name: "Ana", version: 1 }]);
});

test("every field that can be written comes back as it was written", async () => {
  await using the = await world({ alone: true });
  await the.sql(FIELDS, [the.project.id]);
  const key = await writer(the);
  const at = "2026-03-31T14:30:00+00:00";
  const lead = {
    external_id: "crm-7",
    name: "Zoë '; DROP TABLE lead; -- <script>",
    first_name: "Zoë",
    last_name: "Ōe 🎈",
    email: "zoe@example.org",
    emails: ["z@example.org"],
    phone: "+5511912345678",
    phones: ["+351 912 345 678"],
    company: 'a "quoted" \\ name',
    job_title: "CEO",
    website: "https://example.org/?a=1&b=2",
    city: "Porto",
    state: "SP",
    country: "BR",
    language: "pt-BR",
    status: "qualified",
    lifecycle_stage: "mql",
    score: -0.5,
    value: 1e15,
    currency: "EUR",
    owner_id: the.person.id,
    tags: ["a,b", "c"],
    lost_reason: "price",
    source: "web",
    medium: "cpc",
    campaign: "x",
    utm_source: "a",
    utm_medium: "b",
    utm_campaign: "c",
    utm_term: "d",
    utm_content: "e",
    first_touch: at,
    last_touch: at,
    landing_page: "https://example.org/l",
    consent_status: "given",
    consent_basis: "form",
    consent_at: at,
    do_not_contact: true,
    custom: { plan: "pro", seats: 12, since: "2026-02-28" },
  };
  const made = await leadOf(await key.send("POST", "/api/v1/leads", lead), 201);
  for (const [field, value] of Object.entries(lead)) assert.deepEqual(made[field], value, field);
  const nulls = Object.fromEntries(
    Object.keys(lead)
      .filter((field) => field !== "status" && field !== "custom")
      .map((field) => [field, null]),
  );
  const bare = await leadOf(await key.send("PATCH", `/api/v1/leads/${made.id}`, nulls));
  for (const field of Object.keys(nulls)) {
    const empty = ["emails", "phones", "tags"].includes(field)
      ? []
      : field === "do_not_contact"
        ? false
        : null;
    assert.deepEqual(bare[field], empty, field);
  }
  assert.equal(bare.phone_e164, null);
});

test("a key without leads:write gets 403 before any input error, and one that may not read is shown no lead", async () => {
  await using the = await world();
  const reader = await the.key(["leads:read"]);
  const blind = await the.key(["leads:write"]);
  const calls: [string, string, unknown][] = [
    ["POST", "/api/v1/leads", "{"],
    ["POST", "/api/v1/leads", { nome: 1 }],
    ["PATCH", "/api/v1/leads/nonsense", { status: "none" }],
    ["DELETE", "/api/v1/leads/nonsense?x=1", undefined],
    ["DELETE", "/api/v1/leads/nonsense?erase=true", undefined],
    ["POST", "/api/v1/leads/nonsense/restore", undefined],
    ["PUT", "/api/v1/leads/upsert", { match_on: "none" }],
    ["POST", "/api/v1/leads/bulk", { op: "none" }],
    ["POST", "/api/v1/leads/bulk", { op: "delete", items: ["x"] }],
  ];
  for (const [method, path, body] of calls) {
    const said = await refusalOf(await reader.send(method, path, body));
    assert.deepEqual([said.status, said.code], [403, "missing_permission"], `${method} ${path}`);
    const stranger = await fetch(`${the.baseUrl}${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
    });
    assert.deepEqual([stranger.status, stranger.headers.get("www-authenticate")], [401, "Bearer"]);
  }
  const known = await leadOf(
    await (await writer(the)).send("POST", "/api/v1/leads", { email: "ana@example.org", name: "Ana" }),
    201,
  );
  const found = await leadOf(
    await blind.send("PUT", "/api/v1/leads/upsert", {
      match_on: ["email"],
      lead: { email: "ana@example.org" },
    }),
  );
  assert.deepEqual(Object.keys(found).sort(), ["id", "version"]);
  assert.equal(found.id, known.id);
  assert.equal((await refusalOf(await blind.send("GET", `/api/v1/leads/${known.id}`))).status, 403);
});
