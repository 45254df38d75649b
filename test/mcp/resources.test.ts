import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { FULL, filled, nobody } from "../api/support/two-projects.ts";
import { make, written } from "../datasets/support/dataset.ts";
import { type KeyActor, world } from "../world.ts";
import { Assistant, addLead, answerOf } from "./support/assistant.ts";

type Fields = Record<string, unknown>;

/** Returns the JSON of a resource, which must fit into 60 KB. */
async function read(assistant: Assistant, uri: string): Promise<Fields> {
  const { result, error } = await answerOf(
    await assistant.ask("resources/read", { uri }, { "Mcp-Name": uri }),
  );
  assert.equal(error, undefined, `${uri} ${JSON.stringify(error)}`);
  const [content] = result.contents as { uri: string; text: string }[];
  assert.equal(content?.uri, uri);
  assert.ok(Buffer.byteLength(JSON.stringify(content.text)) <= 66_000, `${uri} ${content.text.length}`);
  return JSON.parse(content.text) as Fields;
}

/** Reads all parts of a resource, by following next. */
async function readOn(assistant: Assistant, from: string): Promise<Fields[]> {
  const parts: Fields[] = [];
  for (let uri: unknown = from; typeof uri === "string"; uri = parts.at(-1)?.next) {
    parts.push(await read(assistant, uri));
  }
  return parts;
}

async function completion(assistant: Assistant, uri: string, name: string, value: string): Promise<Fields> {
  const ref = { type: "ref/resource", uri };
  const { result } = await answerOf(
    await assistant.ask("completion/complete", { ref, argument: { name, value } }),
  );
  return result.completion as Fields;
}

const completed = async (...asked: Parameters<typeof completion>) => (await completion(...asked)).values;

/** Exports all leads; resolves when the file exists. */
async function finished(key: KeyActor, query: object): Promise<string> {
  const { id } = (await (await key.send("POST", "/api/v1/exports", query)).json()) as { id: string };
  for (;;) {
    const { state } = (await (await key.send("GET", `/api/v1/exports/${id}`)).json()) as { state: string };
    if (state === "done") return id;
    await sleep(20);
  }
}

test("the project, its fields, its views and the limits can be read", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the, { scopes: ["mcp:read"] });
  const { project, person, scopes } = await read(assistant, "leads://project");
  assert.deepEqual([(project as Fields).id, (project as Fields).name], [the.project.id, the.project.name]);
  assert.deepEqual([person, scopes], [{ name: the.person.name, role: "owner" }, ["mcp:read"]]);
  const schema = await read(assistant, "leads://schema");
  assert.deepEqual(schema.statuses, ["new", "contacted", "qualified", "won", "lost"]);
  const names = (schema.fields as { name: string; type: string }[]).map(({ name }) => name);
  assert.ok(names.includes("email") && schema.truncated === false);
  for (const { type } of schema.fields as { type: string }[]) {
    assert.ok(type in (schema.operators_by_type as object), type);
  }
  const key = await the.key(FULL);
  const query = { filter: { field: "status", op: "eq", value: "new" } };
  const view = (await (await key.send("POST", "/api/v1/views", { name: "Fresh", query })).json()) as Fields;
  const { views } = await read(assistant, "leads://filters");
  assert.deepEqual(
    (views as Fields[]).map(({ id, name }) => [id, name]),
    [[view.id, "Fresh"]],
  );
  assert.deepEqual(((await read(assistant, `leads://filters/${view.id}`)).view as Fields).query, query);
  const { calls } = await read(assistant, "leads://limits");
  assert.ok(((calls as Fields).mcp as { per_minute: number }).per_minute > 0);
});

test("a lead shows its fields without hidden characters, and a merged one names the surviving lead", async () => {
  await using the = await world();
  const side = await filled(the, "alder");
  await the.join(the.person, side.ids.project, "owner");
  const other = await Assistant.authorized(the, { projectId: side.ids.project });
  await the.sql("UPDATE store.lead SET name = $2 WHERE id = $1", [
    side.ids.lead,
    "Nadia\u202e Brandt\u200b\u0007",
  ]);
  const shown = (await read(other, `leads://leads/${side.ids.lead}`)).lead as Fields;
  assert.deepEqual([shown.id, shown.name], [side.ids.lead, "Nadia Brandt"]);
  assert.equal((await read(other, `leads://leads/${side.ids.merged}`)).merged_into, side.ids.lead);
  const went = await read(other, `leads://leads/${side.ids.merged}/timeline`);
  assert.deepEqual([went.merged_into, went.uri], [side.ids.lead, `leads://leads/${side.ids.lead}/timeline`]);
  const { events } = await read(other, `leads://leads/${side.ids.lead}/timeline`);
  assert.ok((events as Fields[]).some(({ type }) => type === `call.${side.mark}`));
});

test("a dataset larger than an answer is continued by next, and no row is lost or repeated", async () => {
  await using the = await world();
  const key = await the.key(FULL);
  const { id } = await make(key);
  const rows = Array.from({ length: 250 }, (_, n) => ({ domain: `d${n}.example`, name: "é".repeat(900) }));
  await written(key, rows);
  const parts = await readOn(await Assistant.authorized(the), `leads://datasets/${id}`);
  const domains = parts.flatMap((part) => (part.rows as Fields[]).map(({ domain }) => domain));
  assert.equal(new Set(domains).size, 250);
  assert.equal(domains.length, 250);
  assert.ok(parts.length > 3 && parts[0]?.truncated === true);
  assert.equal(parts.at(-1)?.next, undefined);
});

test("an export's parts make up its file, and a deleted file is reported as gone", async () => {
  await using the = await world();
  const key = await the.key(FULL);
  for (let n = 0; n < 60; n += 1) {
    await addLead(the, { name: `Zoë ${n}\n"${"ü".repeat(n * 13)}" 🙂`, company: "Brandt, Søn" });
  }
  const assistant = await Assistant.authorized(the);
  for (const format of ["csv", "json", "ndjson"]) {
    const id = await finished(key, { format });
    const whole = await (await key.send("GET", `/api/v1/exports/${id}/file`)).text();
    const parts = await readOn(assistant, `leads://exports/${id}`);
    assert.ok(parts.length > 1, format);
    assert.equal(parts.map(({ content }) => content).join(""), whole, format);
    await the.sql("UPDATE store.job SET expires_at = now() WHERE id = $1", [id]);
    const gone = await read(assistant, `leads://exports/${id}`);
    assert.equal(gone.content, undefined);
    assert.match(String(gone.hint), /has been deleted/);
  }
});

test("an unknown, malformed or other project's URI is an unknown resource that names the URI", async () => {
  await using the = await world();
  const { ids } = await filled(the, "birch");
  const assistant = await Assistant.authorized(the);
  const none = nobody();
  const uris = [ids, none].flatMap((of) => [
    `leads://leads/${of.lead}`,
    `leads://leads/${of.lead}/timeline`,
    `leads://datasets/${of.dataset}`,
    `leads://exports/${of.export}`,
    `leads://filters/${of.view}`,
  ]);
  const odd = [
    "leads://nothing",
    "leads://leads/",
    "leads://leads/%E0%A4%A",
    "leads://leads/a/b/c",
    "file:///etc/passwd",
  ];
  for (const uri of [...uris, ...odd, `leads://leads/${none.lead}/timeline?offset=-1`]) {
    const answer = await assistant.ask("resources/read", { uri }, { "Mcp-Name": uri });
    assert.equal(answer.status, 200);
    const { error } = await answerOf(answer);
    assert.deepEqual([error.code, error.data], [-32602, { uri }]);
  }
});

test("ids are completed by what a person types: a name, an e-mail, the start of the id", async () => {
  await using the = await world();
  const { ids, mark } = await filled(the, "alder");
  await the.join(the.person, ids.project, "owner");
  const assistant = await Assistant.authorized(the, { projectId: ids.project });
  for (const uri of ["leads://leads/{lead_id}", "leads://leads/{lead_id}/timeline"]) {
    for (const typed of ["same-1@example", ids.lead, ids.lead.slice(0, 28)]) {
      const found = (await completed(assistant, uri, "lead_id", typed)) as string[];
      assert.ok(found.includes(ids.lead), typed);
    }
    assert.deepEqual(await completed(assistant, uri, "lead_id", "nobody is called so"), []);
    assert.ok(!((await completed(assistant, uri, "lead_id", "lead_")) as string[]).includes(ids.deleted));
  }
  assert.deepEqual(await completed(assistant, "leads://datasets/{dataset_id}", "dataset_id", mark), [
    ids.dataset,
  ]);
  assert.deepEqual(await completed(assistant, "leads://exports/{export_id}", "export_id", "done"), [
    ids.export,
  ]);
  assert.deepEqual(await completed(assistant, "leads://filters/{view_id}", "view_id", mark), [ids.view]);
});

test("a completion with more matches than it shows reports so, and claims no total", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const uri = "leads://leads/{lead_id}";
  for (let n = 0; n < 20; n += 1) await addLead(the, { name: "Nadia Brandt" });
  for (const typed of ["nadia", "lead_", ""]) {
    const { values, ...told } = await completion(assistant, uri, "lead_id", typed);
    assert.equal((values as string[]).length, 20);
    assert.deepEqual(told, { total: 20, hasMore: false }, typed);
  }
  await addLead(the, { name: "Nadia Brandt" });
  for (const typed of ["nadia", "lead_", ""]) {
    const { values, ...told } = await completion(assistant, uri, "lead_id", typed);
    assert.equal((values as string[]).length, 20);
    assert.deepEqual(told, { hasMore: true }, typed);
  }
});

test("a variable that the template does not have has no completions", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  await addLead(the, { name: "Nadia" });
  const none = { values: [], total: 0, hasMore: false };
  assert.deepEqual(await completion(assistant, "leads://leads/{lead_id}", "nope", "nadia"), none);
});

test("fields and views that do not fit one answer are continued by next, each returned once", async () => {
  await using the = await world();
  const options = Array.from({ length: 60 }, (_, n) => `${"ü".repeat(60)}${n}`);
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type, options)
     SELECT $1, 'field_' || n, 'Field', 'enum', $2 FROM generate_series(1, 30) AS n`,
    [the.project.id, options],
  );
  await the.sql(
    `INSERT INTO store.saved_view (project_id, id, name, query)
     SELECT $1, 'view_' || n, repeat('ü', 200), jsonb_build_object('search', repeat('ü', 200))
     FROM generate_series(1, 620) AS n`,
    [the.project.id],
  );
  const assistant = await Assistant.authorized(the);
  for (const [uri, member, key, most] of [
    ["leads://schema", "fields", "name", 30],
    ["leads://filters", "views", "id", 620],
  ] as const) {
    const parts = await readOn(assistant, uri);
    const told = parts.flatMap((part) => (part[member] as Fields[]).map((each) => each[key]));
    assert.ok(parts.length > 1 && told.length >= most, `${uri} ${parts.length}`);
    assert.equal(new Set(told).size, told.length);
    assert.deepEqual([parts[0]?.truncated, parts.at(-1)?.truncated], [true, false]);
  }
});

test("the schema of a field with more options than fit is shown without them, and says so", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const whole = await read(assistant, "leads://schema");
  assert.deepEqual([whole.truncated, whole.hint], [false, undefined]);
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type, options)
     SELECT $1, 'city', 'City', 'enum', array_agg(repeat('x', 190) || n) FROM generate_series(1, 500) AS n`,
    [the.project.id],
  );
  const other = await Assistant.authorized(the);
  const parts = await readOn(other, "leads://schema");
  const cities = parts
    .flatMap((part) => part.fields as Fields[])
    .filter(({ name }) => name === "custom.city");
  assert.equal(cities.length, 1);
  const hints = parts.filter(({ hint }) => hint !== undefined);
  assert.equal(hints.length, 1);
  assert.match(String(hints[0]?.hint), /options .* omitted/);
  assert.equal(hints[0]?.truncated, true);
});
