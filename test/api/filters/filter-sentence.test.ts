import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";

const leaf = (field: string, op: string, value: unknown) => ({ field, op, value });

const validated = async (key: KeyActor, body: object) => {
  const response = await key.send("POST", "/api/v1/leads/filters/validate", body);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Record<string, unknown> & { errors: { path: string; code: string }[] };
};

test("a filter is answered as a sentence, in English and in Portuguese", async () => {
  await using the = await world();
  const key = await the.key();
  const filter = {
    and: [
      leaf("status", "eq", "won"),
      { or: [leaf("source", "eq", "google"), leaf("company", "contains", "acme")] },
    ],
  };
  assert.equal(
    (await validated(key, { filter })).sentence,
    "status is won and (source is google or company contains “acme”)",
  );
  assert.equal(
    (await validated(key, { filter, locale: "pt-BR" })).sentence,
    "status é won e (origem é google ou empresa contém “acme”)",
  );
});

test("a filter that is wrong is answered with everything that is wrong with it", async () => {
  await using the = await world();
  const key = await the.key();
  const wrong = {
    and: [
      leaf("nome", "eq", "x"),
      leaf("score", "in", [1, "2", null]),
      {
        event: {
          type: "a b",
          occurred: { op: "eq", value: "now" },
          count: { op: "gte", value: -1 },
          whre: {},
        },
      },
      { view: "view_none" },
      { dataset: { key: "companies" } },
    ],
  };
  const answer = await validated(key, { filter: wrong });
  assert.deepEqual(
    answer.errors.map(({ path, code }) => `${path} ${code}`),
    [
      "$.filter.and[0].field unknown_field",
      "$.filter.and[1].value[1] type",
      "$.filter.and[1].value[2] type",
      "$.filter.and[2].event.whre unknown_key",
      "$.filter.and[2].event.occurred.value bad_date",
      "$.filter.and[2].event.type bad_event_type",
      "$.filter.and[2].event.count.value range",
      "$.filter.and[3].view unknown_view",
      "$.filter.and[4].dataset.key unknown_dataset",
    ],
  );
  assert.deepEqual([answer.valid, answer.sentence, answer.estimated_count], [false, null, null]);
  const zone = await validated(key, { filter: { and: [] }, timezone: "Mars/Olympus" });
  assert.deepEqual([zone.valid, zone.errors[0]?.path], [false, "$.timezone"]);
});

test("a small count is exact, and another project's leads are not in it", async () => {
  await using the = await world();
  const other = await the.newProject(the.person, "Other");
  await addLeads(the, [{ name: "Ana" }, { name: "Bia" }, { name: "Ana", deleted_at: new Date() }]);
  await addLeads(the, [{ name: "Ana" }], other.id);
  const key = await the.key();
  const filter = leaf("name", "eq", "ana");
  assert.deepEqual(await validated(key, { filter }), {
    valid: true,
    errors: [],
    warnings: [],
    sentence: "name is ana",
    estimated_count: 1,
    slow: false,
  });
  assert.equal((await key.send("POST", "/api/v1/leads/filters/validate", {})).status, 400);
  const nobody = await the.key(["leads:write"]);
  assert.equal((await nobody.send("POST", "/api/v1/leads/filters/validate", { filter })).status, 403);
});

test("the fields of leads are listed with what can be asked of them", async () => {
  await using the = await world();
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type, options) VALUES ($1, 'size', 'Size', 'enum', '{s,m}')",
    [the.project.id],
  );
  const key = await the.key();
  const answer = (await (await key.send("GET", "/api/v1/leads/fields?locale=pt-BR")).json()) as {
    fields: Record<string, unknown>[];
    next_cursor: null;
  };
  assert.equal(answer.next_cursor, null);
  assert.equal(answer.fields.length, 50);
  const named = (name: string) => answer.fields.find((field) => field.name === name);
  assert.deepEqual(named("custom.size"), {
    name: "custom.size",
    label: "Size",
    type: "enum",
    operators: ["eq", "neq", "in", "not_in", "is_empty", "is_not_empty"],
    options: ["s", "m"],
    custom: true,
    required: false,
    sortable: true,
    groupable: true,
    writable: true,
  });
  assert.deepEqual(named("status")?.options, ["new", "contacted", "qualified", "won", "lost"]);
  assert.deepEqual([named("company")?.label, named("tags")?.sortable], ["Empresa", false]);
  assert.equal((await key.send("GET", "/api/v1/leads/fields?locale=de")).status, 400);
});
