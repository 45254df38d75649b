import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../world.ts";
import { addLeads } from "./support/leads.ts";
import { bodyOf } from "./support/v1.ts";
import { leadOf, refusalOf, told, writer } from "./support/writing.ts";

interface Field {
  key: string;
  type: string;
  options: string[];
  timeline: boolean;
}

const create = async (key: KeyActor, field: object) =>
  bodyOf<Field>(await key.send("POST", "/api/v1/fields", field), 201);

const customOf = async (key: KeyActor, id: string) =>
  (await leadOf(await key.send("GET", `/api/v1/leads/${id}`))).custom;

test("a custom field is created, read, listed in order, changed and deleted, and leads can have it immediately", async () => {
  await using the = await world();
  const key = await writer(the);
  const made = await key.send("POST", "/api/v1/fields", {
    key: "plan",
    label: " Plan ",
    type: "enum",
    options: ["free", "pro"],
    position: 2,
  });
  assert.equal(made.headers.get("location"), "/api/v1/fields/plan");
  const field = await bodyOf<Record<string, unknown>>(made, 201);
  const { created_at, ...rest } = field;
  assert.match(String(created_at), /\+00:00$/);
  assert.deepEqual(rest, {
    key: "plan",
    label: "Plan",
    type: "enum",
    options: ["free", "pro"],
    description: null,
    timeline: true,
    position: 2,
    indexed: false,
    index_built_at: null,
  });
  assert.deepEqual(await bodyOf(await key.send("GET", "/api/v1/fields/plan")), field);
  await create(key, { key: "seats", label: "Seats", type: "integer", timeline: false });
  const { id } = await leadOf(
    await key.send("POST", "/api/v1/leads", { custom: { plan: "pro", seats: 2 } }),
    201,
  );
  const list = await bodyOf<{ fields: Field[] }>(await key.send("GET", "/api/v1/fields"));
  assert.deepEqual(
    list.fields.map((each) => each.key),
    ["seats", "plan"],
  );
  const changed = await bodyOf<Field & { label: string; description: string }>(
    await key.send("PATCH", "/api/v1/fields/plan", {
      label: "Tariff",
      description: "What they pay",
      position: -1,
    }),
  );
  assert.deepEqual(
    [changed.label, changed.description, changed.options],
    ["Tariff", "What they pay", ["free", "pro"]],
  );
  assert.equal(
    (
      await bodyOf<{ description: null }>(
        await key.send("PATCH", "/api/v1/fields/plan", { description: null }),
      )
    ).description,
    null,
  );
  assert.deepEqual(await customOf(key, id), { plan: "pro", seats: 2 });
});

test("a field's type changes only if all values fit; values in another form are rewritten and recorded", async () => {
  await using the = await world();
  const key = await writer(the);
  await create(key, { key: "size", label: "Size", type: "text" });
  const [dead = ""] = await addLeads(the, [{ custom: { size: "7" }, deleted_at: "2026-01-01" }]);
  const one = await leadOf(await key.send("POST", "/api/v1/leads", { custom: { size: "12" } }), 201);
  const two = await leadOf(await key.send("POST", "/api/v1/leads", { custom: { size: "twelve" } }), 201);
  const refused = await refusalOf(await key.send("PATCH", "/api/v1/fields/size", { type: "integer" }));
  assert.deepEqual(
    [refused.status, refused.code, refused.details[0]?.message],
    [409, "values_do_not_fit", two.id],
  );
  assert.deepEqual(await customOf(key, one.id), { size: "12" });
  await key.send("PATCH", `/api/v1/leads/${two.id}`, { custom: { size: "13" } });
  assert.equal(
    (await bodyOf<Field>(await key.send("PATCH", "/api/v1/fields/size", { type: "integer" }))).type,
    "integer",
  );
  assert.deepEqual([await customOf(key, one.id), await customOf(key, two.id)], [{ size: 12 }, { size: 13 }]);
  assert.deepEqual((await told(the, one.id)).at(-1), ["lead.updated", "custom.size", "12", 12]);
  assert.deepEqual(await the.sql("SELECT custom FROM store.lead WHERE id = $1", [dead]), [
    { custom: { size: 7 } },
  ]);
  const options = await refusalOf(
    await key.send("PATCH", "/api/v1/fields/size", { type: "enum", options: ["12"] }),
  );
  assert.equal(options.code, "values_do_not_fit");
  await bodyOf(await key.send("PATCH", "/api/v1/fields/size", { type: "enum", options: ["7", "12", "13"] }));
  const fewer = await refusalOf(await key.send("PATCH", "/api/v1/fields/size", { options: ["7", "12"] }));
  assert.deepEqual([fewer.status, fewer.code], [409, "values_do_not_fit"]);
  await bodyOf(await key.send("PATCH", "/api/v1/fields/size", { options: ["7", "12", "13", "14"] }));
});

test("a refused change of type counts each lead whose value does not fit once, however many there are", async () => {
  await using the = await world();
  const key = await writer(the);
  await create(key, { key: "size", label: "Size", type: "text" });
  await the.sql(
    `INSERT INTO store.lead (project_id, id, custom)
     SELECT $1, 'lead_' || lpad(n::text, 26, '0'), '{"size": "large"}' FROM generate_series(1, 5003) AS n`,
    [the.project.id],
  );
  const refused = await refusalOf(await key.send("PATCH", "/api/v1/fields/size", { type: "integer" }));
  assert.deepEqual([refused.status, refused.code], [409, "values_do_not_fit"]);
  assert.match(refused.message, /^5003 leads /);
});

test("a field that leads or views use is deleted only with force, and the removal of its values is recorded", async () => {
  await using the = await world();
  const key = await writer(the);
  await create(key, { key: "plan", label: "Plan", type: "text" });
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { custom: { plan: "pro" } }), 201);
  const [dead = ""] = await addLeads(the, [{ custom: { plan: "old" }, deleted_at: "2026-01-01" }]);
  const view = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/views", {
      name: "Pro",
      query: { filter: { not: { field: "custom.plan", op: "eq", value: "pro" } } },
    }),
    201,
  );
  const used = await refusalOf(await key.send("DELETE", "/api/v1/fields/plan"));
  assert.deepEqual([used.status, used.code], [409, "field_used"]);
  assert.deepEqual(
    used.details.map(({ path, message }) => [path, message]),
    [
      ["leads", "1"],
      ["views", view.id],
    ],
  );
  assert.equal((await key.send("DELETE", "/api/v1/fields/plan?force=true")).status, 204);
  assert.deepEqual(await customOf(key, id), {});
  assert.deepEqual((await told(the, id)).at(-1), ["lead.updated", "custom.plan", "pro", null]);
  assert.deepEqual(await the.sql("SELECT custom FROM store.lead WHERE id = $1", [dead]), [{ custom: {} }]);
  for (const method of ["GET", "DELETE", "PATCH"])
    assert.equal(
      (await refusalOf(await key.send(method, "/api/v1/fields/plan", method === "PATCH" ? {} : undefined)))
        .status,
      404,
    );
  await create(key, { key: "plan", label: "Plan", type: "integer" });
  assert.equal((await key.send("DELETE", "/api/v1/fields/plan")).status, 409, "the view still names it");
});

test("an invalid field is refused with its path, and a key is used only once, even in a race", async () => {
  await using the = await world();
  const key = await writer(the);
  const good = { key: "a", label: "A", type: "text" };
  const wrong: [object, string][] = [
    [{ ...good, key: "A" }, "$.key"],
    [{ ...good, key: "1a" }, "$.key"],
    [{ ...good, key: "a".repeat(61) }, "$.key"],
    [{ ...good, label: "  " }, "$.label"],
    [{ ...good, label: "a\0" }, "$.label"],
    [{ ...good, type: "list" }, "$.type"],
    [{ ...good, options: ["x"] }, "$.options"],
    [{ ...good, type: "enum" }, "$.options"],
    [{ ...good, type: "enum", options: ["x", "x"] }, "$.options"],
    [{ ...good, type: "enum", options: [" x"] }, "$.options[0]"],
    [{ ...good, labels: "x" }, "$.labels"],
    [{ ...good, position: 10_001 }, "$.position"],
    [{ ...good, position: -10_001 }, "$.position"],
    [{ ...good, position: 0.5 }, "$.position"],
    [{ key: "a", type: "text" }, "$.label"],
  ];
  for (const [body, path] of wrong) {
    const said = await refusalOf(await key.send("POST", "/api/v1/fields", body));
    assert.deepEqual([said.status, said.details[0]?.path], [400, path], JSON.stringify(body));
  }
  const answers = await Promise.all([1, 2, 3, 4].map(() => key.send("POST", "/api/v1/fields", good)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  const reader = await the.key();
  assert.equal((await refusalOf(await reader.send("POST", "/api/v1/fields", {}))).status, 403);
  const foreign = await writer(the, (await the.newProject(the.person, "Other")).id);
  assert.equal((await refusalOf(await foreign.send("GET", "/api/v1/fields/a"))).status, 404);
  assert.equal((await refusalOf(await key.send("GET", "/api/v1/fields/%00"))).status, 400);
  assert.equal((await refusalOf(await key.send("DELETE", "/api/v1/fields/%00"))).status, 404);
});

test("statuses are replaced as a list; one that leads have is removed only with a replacement for them", async () => {
  await using the = await world();
  const key = await writer(the);
  const first = await bodyOf<{ statuses: string[] }>(await key.send("GET", "/api/v1/statuses"));
  const meanings = { new: "open", contacted: "open", qualified: "open", won: "won", lost: "lost" };
  assert.deepEqual(first, { statuses: Object.keys(meanings), meanings, next_cursor: null });
  const { id } = await leadOf(
    await key.send("POST", "/api/v1/leads", { name: "Ana", status: "qualified" }),
    201,
  );
  const [dead = ""] = await addLeads(the, [{ status: "qualified", deleted_at: "2026-01-01" }]);
  const put = (body: object) => key.send("PUT", "/api/v1/statuses", body);
  const statuses = ["new", "in talks", "won", "lost"];
  const used = await refusalOf(await put({ statuses }));
  assert.deepEqual([used.status, used.code, used.details[0]?.message], [409, "status_used", "1"]);
  assert.deepEqual(await bodyOf(await key.send("GET", "/api/v1/statuses")), first);
  assert.deepEqual(await bodyOf(await put({ statuses, map: { qualified: "in talks" } })), {
    statuses,
    meanings: { new: "open", "in talks": "open", won: "won", lost: "lost" },
    next_cursor: null,
  });
  assert.equal((await leadOf(await key.send("GET", `/api/v1/leads/${id}`))).status, "in talks");
  assert.deepEqual((await told(the, id)).at(-1), ["lead.updated", "status", "qualified", "in talks"]);
  assert.deepEqual(await the.sql("SELECT status FROM store.lead WHERE id = $1", [dead]), [
    { status: "in talks" },
  ]);
  for (const wrong of [
    { statuses: [] },
    { statuses: ["a", "a"] },
    { statuses: [" a"] },
    { statuses: ["a\0"] },
    { statuses, map: { won: "lost" } },
    { statuses, map: { old: "none" } },
    { statuses: statuses.join() },
    { statuses, meanings: { old: "won" } },
    { statuses, meanings: { won: "closed" } },
    {},
  ])
    assert.equal((await refusalOf(await put(wrong))).status, 400, JSON.stringify(wrong));
  assert.equal((await refusalOf(await (await the.key()).send("PUT", "/api/v1/statuses", {}))).status, 403);
});

test("the project says what statuses mean, filters find leads by it, and an undo restores it", async () => {
  await using the = await world();
  const key = await writer(the);
  const put = async (body: object) => {
    const answer = await key.send("PUT", "/api/v1/statuses", body);
    const change = answer.headers.get("x-leadgate-change");
    const { meanings } = await bodyOf<{ meanings: object }>(answer);
    return { change, meanings };
  };
  const statuses = ["Novo", "Negócio fechado", "Em análise", "Perdido"];
  const map = { new: "Novo", contacted: "Em análise", qualified: "Em análise", lost: "Perdido" };
  await addLeads(the, [
    { name: "Ana", status: "won" },
    { name: "Bia", status: "lost" },
    { name: "Caio", status: "new" },
  ]);
  const guessed = await put({ statuses, map: { ...map, won: "Negócio fechado" } });
  assert.deepEqual(guessed.meanings, {
    ...{ Novo: "open", "Negócio fechado": "won", "Em análise": "open", Perdido: "lost" },
  });
  const found = async (op: string, value: unknown) => {
    const filter = { field: "status_meaning", op, value };
    const body = { filter, sort: [{ field: "name" }], fields: ["name"] };
    const { leads } = await bodyOf<{ leads: { name: string }[] }>(
      await key.send("POST", "/api/v1/leads/search", body),
    );
    return leads.map(({ name }) => name).join(" ");
  };
  assert.deepEqual(
    [await found("eq", "won"), await found("in", ["Open", "lost"]), await found("neq", "won")],
    ["Ana", "Bia Caio", "Bia Caio"],
  );
  const said = await put({ statuses, meanings: { Novo: "won", "Negócio fechado": "open" } });
  assert.deepEqual([await found("eq", "won"), await found("not_in", ["won"])], ["Caio", "Ana Bia"]);
  const renamed = await put({
    ...{ statuses: ["Cru", ...statuses.slice(1), "Cliente"], map: { Novo: "Cru" } },
  });
  assert.deepEqual(renamed.meanings, {
    ...{ Cru: "won", "Negócio fechado": "open", "Em análise": "open", Perdido: "lost", Cliente: "won" },
  });
  for (const { change } of [renamed, said])
    assert.equal((await key.send("POST", `/api/v1/changes/${change}/undo`, {})).status, 200);
  const now = await bodyOf<{ meanings: object }>(await key.send("GET", "/api/v1/statuses"));
  assert.deepEqual(now.meanings, guessed.meanings);
  const wrong = { filter: { field: "status_meaning", op: "eq", value: "closed" } };
  const refused = await refusalOf(await key.send("POST", "/api/v1/leads/search", wrong));
  assert.deepEqual([refused.status, refused.code], [400, "unknown_option"]);
});

test("changes of untracked fields are not recorded on the timeline", async () => {
  await using the = await world();
  const key = await writer(the);
  const set = await key.send("PUT", "/api/v1/quiet-fields", { fields: ["score", "city", "score"] });
  assert.deepEqual(await bodyOf(set), { fields: ["city", "score"], next_cursor: null });
  assert.deepEqual(await bodyOf(await key.send("GET", "/api/v1/quiet-fields")), {
    fields: ["city", "score"],
    next_cursor: null,
  });
  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  await key.send("PATCH", `/api/v1/leads/${id}`, { score: 4, city: "Faro", company: "Porto" });
  assert.deepEqual((await told(the, id)).slice(1), [["lead.updated", "company", null, "Porto"]]);
  for (const fields of [["nome"], ["custom.x"], ["version"], "score"])
    assert.equal((await refusalOf(await key.send("PUT", "/api/v1/quiet-fields", { fields }))).status, 400);
});

test("the field that the reference shows as an example is answered as it stands there", async () => {
  await using the = await world();
  const key = await writer(the);
  const { components } = (await (await fetch(`${the.baseUrl}/openapi.json`)).json()) as {
    components: { schemas: { Field: { examples: { name: string; options: string[] }[] } } };
  };
  const [example] = components.schemas.Field.examples;
  await bodyOf(await key.send("PUT", "/api/v1/statuses", { statuses: example?.options }));
  const { fields } = await bodyOf<{ fields: { name: string }[] }>(
    await key.send("GET", "/api/v1/leads/fields"),
  );
  assert.deepEqual(
    fields.find(({ name }) => name === example?.name),
    example,
  );
});
