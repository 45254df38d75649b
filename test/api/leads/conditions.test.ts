import assert from "node:assert/strict";
import { test } from "node:test";
import { API } from "../../../src/contract/all.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { leadOf, type Record_, refusalOf, writer } from "../support/writing.ts";

const sender =
  (the: World, key: KeyActor) =>
  (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Response> =>
    fetch(`${the.baseUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key.text}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

const create = async (key: KeyActor, lead: object): Promise<Record_> =>
  await leadOf(await key.send("POST", "/api/v1/leads", lead), 201);

const versionOf = async (key: KeyActor, { id }: Record_): Promise<number> =>
  (await leadOf(await key.send("GET", `/api/v1/leads/${id}`))).version;

test("an upsert with If-Match changes only the version that it names, and creates nothing", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const send = sender(the, key);
  const lead = await create(key, { external_id: "crm-1", name: "Ana" });
  const upsert = (version: string, name: string, external_id = "crm-1") =>
    send("PUT", "/api/v1/leads/upsert", { lead: { external_id, name } }, { "If-Match": version });
  assert.equal((await leadOf(await upsert('"1"', "Ana Maria"))).version, 2);
  const stale = await refusalOf(await upsert('"1"', "Overwritten"));
  assert.deepEqual(
    [stale.status, stale.code, stale.details],
    [412, "stale", [{ path: "version", code: "stale", message: "2" }]],
  );
  for (const version of ['"1"', "*"]) {
    const nothing = await refusalOf(await upsert(version, "New", "crm-2"));
    assert.deepEqual([nothing.status, nothing.code], [412, "nothing_found"]);
  }
  assert.equal((await leadOf(await upsert("*", "Any version"))).version, 3);
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => upsert('"3"', `racing ${i}`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    200,
    ...Array.from({ length: 11 }, () => 412),
  ]);
  assert.deepEqual(await the.sql("SELECT id FROM store.lead"), [{ id: lead.id }]);
});

test("an upsert with If-None-Match: * creates a lead, and is 412 if it finds one; of racing ones, one creates it", async () => {
  await using the = await world();
  const key = await writer(the);
  const send = sender(the, key);
  const upsert = (value = "*") =>
    send("PUT", "/api/v1/leads/upsert", { lead: { email: "ana@example.org" } }, { "If-None-Match": value });
  const answers = await Promise.all(Array.from({ length: 10 }, () => upsert()));
  const made = answers.find(({ status }) => status === 201);
  assert.ok(made);
  const lead = await leadOf(made, 201);
  for (const answer of answers) {
    if (answer.status === 201) continue;
    const { status, code, details } = await refusalOf(answer);
    assert.deepEqual(
      [status, code, details],
      [412, "lead_exists", [{ path: "$.lead.email", code: "candidate", message: lead.id }]],
    );
  }
  assert.equal(await versionOf(key, lead), 1);
  assert.equal((await refusalOf(await upsert('"1"'))).code, "bad_version");
});

test("items of a bulk upsert have conditions of their own: if_version and if_absent, with a result for each", async () => {
  await using the = await world();
  const key = await writer(the);
  const lead = await create(key, { external_id: "crm-1" });
  const items = [
    { external_id: "crm-1", name: "stale", if_version: 7 },
    { external_id: "crm-1", name: "current", if_version: 1 },
    { external_id: "crm-1", name: "stale by now", if_version: 1 },
    { external_id: "crm-1", name: "exists", if_absent: true },
    { external_id: "crm-2", name: "not found", if_version: 1 },
    { external_id: "crm-3", name: "new", if_absent: true },
    { external_id: "crm-3", name: "exists by now", if_absent: true },
    { external_id: "crm-4", if_absent: true, if_version: 1 },
    { external_id: "crm-4", if_version: "1" },
  ];
  const answer = await key.send("POST", "/api/v1/leads/bulk", { op: "upsert", items });
  const { results } = (await answer.json()) as {
    results: { status: number; outcome: string; error: { code: string } | null }[];
  };
  assert.deepEqual(
    results.map(({ status, outcome, error }) => [status, error?.code ?? outcome]),
    [
      [412, "stale"],
      [200, "updated"],
      [412, "stale"],
      [412, "lead_exists"],
      [412, "nothing_found"],
      [201, "created"],
      [412, "lead_exists"],
      [400, "condition_twice"],
      [400, "type"],
    ],
  );
  assert.equal(await versionOf(key, lead), 2);
  const single = (body: object) =>
    key.send("PUT", "/api/v1/leads/upsert", { lead: { external_id: "crm-1" }, ...body });
  assert.equal((await refusalOf(await single({ if_version: 1 }))).status, 412);
  assert.equal((await single({ if_version: 2 })).status, 200);
  assert.equal((await refusalOf(await single({ if_absent: true }))).code, "lead_exists");
  assert.equal((await refusalOf(await single({ if_version: [2] }))).status, 400);
});

test("a merge with a stale version of either lead is 412 and changes nothing", async () => {
  await using the = await world();
  const key = await writer(the);
  const send = sender(the, key);
  const one = await create(key, { name: "One" });
  const two = await create(key, { name: "Two" });
  await leadOf(await key.send("PATCH", `/api/v1/leads/${one.id}`, { city: "Faro" }));
  const merge = (body: object, headers: Record<string, string> = {}) =>
    send("POST", `/api/v1/leads/${one.id}/merge`, { with: two.id, ...body }, headers);
  const stale = await refusalOf(await merge({}, { "If-Match": '"1"' }));
  assert.deepEqual([stale.status, stale.details], [412, [{ path: "version", code: "stale", message: "2" }]]);
  assert.equal((await refusalOf(await merge({ version: 1 }))).status, 412);
  const other = await refusalOf(await merge({ with_version: 2 }, { "If-Match": '"2"' }));
  assert.deepEqual(
    [other.status, other.details],
    [412, [{ path: "$.with_version", code: "stale", message: "1" }]],
  );
  assert.equal(await versionOf(key, two), 1);
  assert.equal((await merge({ with_version: 1 }, { "If-Match": '"2"' })).status, 200);
});

/** Values of If-Match for a lead at version 3, and the status of a change. */
const TAGS: [string, number][] = [
  ['"3"', 200],
  ["*", 200],
  ["3", 200],
  ['"2", "3"', 200],
  [' , "x,y" ,, "3" ,', 200],
  ['W/"3", "3"', 200],
  ['"2"', 412],
  ['W/"3"', 412],
  ['"03"', 412],
  ['"abc"', 412],
  ['""', 412],
  ['"1","2"', 412],
  ['"99999999999999999999"', 412],
  ['"3', 400],
  ['3"', 400],
  ['"3" "4"', 400],
  ['w/"3"', 400],
  ["three", 400],
  [",", 400],
  ['"3", *', 400],
];

test("If-Match is read as RFC 9110 has it: any version, a list, weak tags that match nothing, and 400 for what is no tag", async () => {
  await using the = await world();
  const key = await writer(the);
  const send = sender(the, key);
  const { id } = await create(key, { name: "Ana" });
  for (const [tag, expected] of TAGS) {
    await the.sql("UPDATE store.lead SET version = 3, score = NULL WHERE id = $1", [id]);
    const answer = await send("PATCH", `/api/v1/leads/${id}`, { score: 1 }, { "If-Match": tag });
    assert.equal(answer.status, expected, tag);
    await answer.text();
  }
  const missing = await send(
    "PATCH",
    "/api/v1/leads/lead_00000000000000000000000000",
    {},
    { "If-Match": '"1"' },
  );
  assert.equal(missing.status, 404, "a lead that does not exist stays 404");
});

test("a lead is deleted and restored only at the version that If-Match names", async () => {
  await using the = await world();
  const key = await writer(the);
  const send = sender(the, key);
  const { id } = await create(key, { name: "Ana" });
  for (const [method, path, version, status] of [
    ["DELETE", `/api/v1/leads/${id}`, 1, 204],
    ["POST", `/api/v1/leads/${id}/restore`, 2, 200],
  ] as const) {
    const stale = await refusalOf(await send(method, path, undefined, { "If-Match": '"7"' }));
    assert.deepEqual(
      [stale.status, stale.code, stale.details[0]?.message],
      [412, "stale", String(version)],
      method,
    );
    const done = await send(method, path, undefined, { "If-Match": `"${version}"` });
    assert.equal(done.status, status, method);
  }
  assert.equal(await versionOf(key, { id, version: 2 }), 3);
});

test("views, datasets and rows accept a list of versions in If-Match, too", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:write", "schema:write"]);
  const send = sender(the, key);
  const view = await (await key.send("POST", "/api/v1/views", { name: "All", query: {} })).json();
  const columns = [{ key: "domain", label: "Domain", type: "text" }];
  const set = await (
    await key.send("POST", "/api/v1/datasets", { key: "firms", name: "Firms", columns })
  ).json();
  const row = await (await key.send("POST", "/api/v1/datasets/firms/rows", { domain: "a" })).json();
  const calls: [string, object][] = [
    [`/api/v1/views/${(view as Record_).id}`, { name: "Every" }],
    [`/api/v1/datasets/${(set as Record_).id}`, { name: "Companies" }],
    [`/api/v1/datasets/firms/rows/${(row as { _id: string })._id}`, { domain: "b" }],
  ];
  for (const [path, body] of calls) {
    for (const [tag, status] of [
      ['W/"1"', 412],
      ['"7", "8"', 412],
      ['"7", "1"', 200],
    ] as const) {
      const answer = await send("PATCH", path, body, { "If-Match": tag });
      assert.equal(answer.status, status, `${path} ${tag}`);
      await answer.text();
    }
  }
});

test("a versioned call that writes and does not check If-Match or If-None-Match refuses it, and the OpenAPI document says which check it", async () => {
  await using the = await world({ alone: true });
  const key = await the.key([
    "leads:read",
    "leads:write",
    "leads:erase",
    "datasets:read",
    "datasets:write",
    "datasets:import",
    "schema:write",
  ]);
  const send = sender(the, key);
  const writing = API.filter(({ refusals, method }) => refusals === "v1" && method !== "GET");
  assert.ok(writing.length > 30);
  const document = (await (await fetch(`${the.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { parameters?: { $ref?: string }[] }>>;
  };
  const refused: string[] = [];
  for (const { id, method, url, ifMatch, ifNoneMatch } of writing) {
    const { parameters = [] } = document.paths[url]?.[method.toLowerCase()] ?? {};
    const has = (name: string) => parameters.some(({ $ref }) => $ref === `#/components/parameters/${name}`);
    assert.deepEqual([has("IfMatch"), has("IfNoneMatch")], [ifMatch === true, ifNoneMatch === true], id);
    const path = url.replace("{id}", "lead_00000000000000000000000000").replace(/\{\w+\}/g, "x");
    for (const [header, supported] of [
      ["If-Match", ifMatch],
      ["If-None-Match", ifNoneMatch],
    ] as const) {
      if (supported === true) continue;
      const answer = await send(method, path, method === "DELETE" ? undefined : {}, { [header]: "*" });
      const { status, code, details } = await refusalOf(answer);
      assert.deepEqual(
        [status, code, details[0]?.path],
        [400, "unsupported_condition", header],
        `${method} ${url}`,
      );
      refused.push(id);
    }
  }
  for (const id of ["leads.create", "statuses.replace", "leads.bulk", "merges.undo"])
    assert.ok(refused.includes(id), `${id} ${refused.join()}`);
  assert.deepEqual(await the.sql("SELECT id FROM store.lead"), []);
  const { id } = await create(key, { name: "Ana" });
  const erasing = await send("DELETE", `/api/v1/leads/${id}?erase=true`, undefined, { "If-Match": '"1"' });
  assert.equal((await refusalOf(erasing)).code, "unsupported_condition");
});

test("endpoints without a version ignore If-Match, as they always have", async () => {
  await using the = await world();
  const send = sender(the, await writer(the));
  const answer = await send(
    "POST",
    "/api/leads/query/",
    { project_id: the.project.id },
    { "If-Match": '"1"' },
  );
  assert.equal(answer.status, 200);
});
