import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { leadOf, refusalOf, told, writer } from "../support/writing.ts";

test("a lead is created with the given values, normalised, and its timeline starts", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  const response = await key.send("POST", "/api/v1/leads", {
    project_id: the.project.id,
    name: "  Ana Souza ",
    email: "Ana@Example.org",
    phone: "(11) 91234-5678",
    tags: ["vip", "vip", " novo "],
    score: 4.5,
    currency: "BRL",
    first_touch: "2026-03-31T14:30:00-03:00",
    company: "",
  });
  const location = response.headers.get("location");
  assert.equal(response.headers.get("etag"), '"1"');
  assert.equal(response.headers.get("x-leadgate-outcome"), "created");
  const lead = await leadOf(response, 201);
  assert.equal(location, `/api/v1/leads/${lead.id}`);
  const expected = {
    name: "Ana Souza",
    email: "Ana@Example.org",
    phone: "(11) 91234-5678",
    phone_e164: "+5511912345678",
    tags: ["vip", "novo"],
    score: 4.5,
    status: "new",
    company: null,
    first_touch: "2026-03-31T17:30:00+00:00",
    do_not_contact: false,
    version: 1,
  };
  for (const [field, value] of Object.entries(expected)) assert.deepEqual(lead[field], value, field);
  assert.deepEqual(await leadOf(await key.send("GET", `/api/v1/leads/${lead.id}`)), lead);
  assert.deepEqual(await told(the, lead.id), [["lead.created", undefined, undefined, undefined]]);
  const [event] = await the.sql<{ source: string; actor: object }>("SELECT source, actor FROM store.event");
  assert.deepEqual(event, { source: "api", actor: { type: "key", id: key.id, label: "test" } });
});

test("a patch changes the fields it names, clears those set to null, keeps the others, and records each change", async () => {
  await using the = await world();
  const key = await writer(the);
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'plan', 'Plan', 'text'), ($1, 'seats', 'Seats', 'integer')`,
    [the.project.id],
  );
  const made = await leadOf(
    await key.send("POST", "/api/v1/leads", {
      name: "Ana",
      company: "Porto",
      custom: { plan: "pro", seats: 3 },
    }),
    201,
  );
  const response = await key.send("PATCH", `/api/v1/leads/${made.id}`, {
    name: "Ana Lima",
    company: null,
    status: "won",
    custom: { seats: 5 },
  });
  assert.equal(response.headers.get("etag"), '"2"');
  const lead = await leadOf(response);
  assert.deepEqual(
    [lead.name, lead.company, lead.status, lead.custom, lead.version],
    ["Ana Lima", null, "won", { plan: "pro", seats: 5 }, 2],
  );
  assert.deepEqual((await told(the, made.id)).slice(1), [
    ["lead.updated", "company", "Porto", null],
    ["lead.updated", "custom.seats", 3, 5],
    ["lead.updated", "name", "Ana", "Ana Lima"],
    ["lead.updated", "status", "new", "won"],
  ]);
  const gone = await leadOf(await key.send("PATCH", `/api/v1/leads/${made.id}`, { custom: { plan: null } }));
  assert.deepEqual(gone.custom, { seats: 5 });
});

test("a patch that changes nothing writes nothing and keeps the version", async () => {
  await using the = await world();
  const key = await writer(the);
  const body = {
    name: "Ana",
    score: 7,
    tags: ["a"],
    first_touch: "2026-01-01T00:00:00Z",
    phone: "+5511912345678",
  };
  const made = await leadOf(await key.send("POST", "/api/v1/leads", body), 201);
  for (const patch of [body, {}, { first_touch: "2025-12-31T21:00:00-03:00" }]) {
    const response = await key.send("PATCH", `/api/v1/leads/${made.id}`, patch);
    assert.equal(response.headers.get("x-leadgate-outcome"), "unchanged");
    assert.deepEqual(await leadOf(response), made);
  }
  assert.equal((await told(the, made.id)).length, 1);
});

test("changes of untracked fields are not recorded in the timeline", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  await the.sql("UPDATE store.project SET quiet_fields = '{score}'");
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type, timeline) VALUES ($1, 'beat', 'Beat', 'integer', false)`,
    [the.project.id],
  );
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  const lead = await leadOf(
    await key.send("PATCH", `/api/v1/leads/${id}`, {
      score: 9,
      custom: { beat: 1 },
      phone: "+5511912345678",
    }),
  );
  assert.deepEqual([lead.score, lead.custom, lead.version], [9, { beat: 1 }, 2]);
  assert.deepEqual((await told(the, id)).slice(1), [["lead.updated", "phone", null, "+5511912345678"]]);
});

test("with If-Match an update is never lost: of racing writers with the same version, one wins and the others get 412", async () => {
  await using the = await world();
  const key = await writer(the);
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { score: 0 }), 201);
  const write = (version: string, score: number) =>
    fetch(`${the.baseUrl}/api/v1/leads/${id}`, {
      method: "PATCH",
      headers: {
        Authorization: `Bearer ${key.text}`,
        "Content-Type": "application/merge-patch+json",
        "If-Match": version,
      },
      body: JSON.stringify({ score }),
    });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => write('"1"', i + 1)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    200,
    ...Array.from({ length: 19 }, () => 412),
  ]);
  const stale = await refusalOf(await write("1", 50));
  assert.deepEqual(
    [stale.code, stale.details],
    ["stale", [{ path: "version", code: "stale", message: "2" }]],
  );
  const body = await refusalOf(await key.send("PATCH", `/api/v1/leads/${id}`, { version: 1, score: 51 }));
  assert.equal(body.status, 412);
  assert.equal((await told(the, id)).length, 2);
});

test("without If-Match, racing writers of different fields lose nothing of each other's", async () => {
  await using the = await world();
  const key = await writer(the);
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  const fields = [
    "first_name",
    "last_name",
    "company",
    "city",
    "state",
    "country",
    "source",
    "medium",
    "campaign",
  ];
  await Promise.all(
    fields.map(async (field) =>
      leadOf(await key.send("PATCH", `/api/v1/leads/${id}`, { [field]: `of ${field}` })),
    ),
  );
  const lead = await leadOf(await key.send("GET", `/api/v1/leads/${id}`));
  for (const field of fields) assert.equal(lead[field], `of ${field}`);
  assert.equal(lead.version, 1 + fields.length);
  assert.equal((await told(the, id)).length, 1 + fields.length);
});

test("a deleted lead is hidden everywhere, a second deletion is 404, and restoring returns it unchanged", async () => {
  await using the = await world();
  const key = await writer(the);
  const made = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana", tags: ["x"] }), 201);
  const path = `/api/v1/leads/${made.id}`;
  const deleted = await key.send("DELETE", path);
  assert.deepEqual([deleted.status, await deleted.text()], [204, ""]);
  for (const answer of [
    await key.send("GET", path),
    await key.send("PATCH", path, { name: "B" }),
    await key.send("DELETE", path),
  ])
    assert.equal((await refusalOf(answer)).status, 404);
  const restored = await leadOf(await key.send("POST", `${path}/restore`));
  assert.deepEqual(restored, { ...made, version: 3, updated_at: restored.updated_at });
  assert.deepEqual(await leadOf(await key.send("POST", `${path}/restore`)), restored);
  assert.deepEqual(
    (await told(the, made.id)).map(([type]) => type),
    ["lead.created", "lead.deleted", "lead.restored"],
  );
});

test("a concurrent patch and deletion end in one of the two orders, never in between", async () => {
  await using the = await world();
  const key = await writer(the);
  for (let i = 0; i < 10; i += 1) {
    const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
    const [patched, deleted] = await Promise.all([
      key.send("PATCH", `/api/v1/leads/${id}`, { name: "Lima" }),
      key.send("DELETE", `/api/v1/leads/${id}`),
    ]);
    assert.equal(deleted.status, 204);
    const types = (await told(the, id)).map(([type]) => type);
    const both = ["lead.created", "lead.updated", "lead.deleted"];
    assert.deepEqual(types, patched.status === 200 ? both : ["lead.created", "lead.deleted"]);
  }
});

test("another project's lead, a malformed id and an unknown one get the same response", async () => {
  await using the = await world();
  const other = await the.newProject(the.person, "Other");
  const theirs = await writer(the, other.id);
  const { id } = await leadOf(await theirs.send("POST", "/api/v1/leads", { name: "Foreign" }), 201);
  const key = await writer(the);
  const calls: [string, string, object?][] = [
    ["GET", ""],
    ["PATCH", "", { name: "Mine" }],
    ["DELETE", ""],
    ["POST", "/restore"],
  ];
  for (const [method, tail, body] of calls) {
    const answers: unknown[] = [];
    for (const each of [id, `lead_${"0".repeat(26)}`, "nonsense"])
      answers.push(await refusalOf(await key.send(method, `/api/v1/leads/${each}${tail}`, body)));
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(answers[0], answers[2]);
    assert.deepEqual((answers[0] as { status: number }).status, 404);
  }
  const foreign = await refusalOf(
    await key.send("POST", "/api/v1/leads", { project_id: other.id, name: "x" }),
  );
  assert.deepEqual([foreign.status, foreign.code], [403, "foreign_project"]);
  for (const project_id of [5, null, [other.id]]) {
    const unread = await refusalOf(await key.send("POST", "/api/v1/leads", { project_id, name: "x" }));
    assert.deepEqual(
      [unread.status, unread.code, unread.details[0]?.path],
      [400, "type", "$.project_id"],
      JSON.stringify(project_id),
    );
  }
  assert.equal((await leadOf(await theirs.send("GET", `/api/v1/leads/${id}`))).name, "Foreign");
});
