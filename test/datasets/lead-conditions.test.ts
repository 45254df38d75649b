import assert from "node:assert/strict";
import { test } from "node:test";
import { addLeads } from "../api/support/leads.ts";
import { compare } from "../api/support/oracle.ts";
import * as pools from "../api/support/random-filter.ts";
import { type Lead, lower } from "../api/support/reference.ts";
import { type KeyActor, world } from "../world.ts";
import { bodyOf, COMPANIES, found, keeper, make, written } from "./support/dataset.ts";

const leadIds = async (key: KeyActor, filter: object): Promise<unknown[]> =>
  (await bodyOf<{ leads: { id: string }[] }>(await key.query({ filter, sort: [{ field: "id" }] }))).leads.map(
    ({ id }) => id,
  );

const asked = (where?: object, count?: object, key = "companies") => ({
  dataset: { key, ...(where === undefined ? {} : { where }), ...(count === undefined ? {} : { count }) },
});

test("rows are linked to the leads of their identity, whichever came first, changed or was deleted", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  await written(key, [
    { domain: "a", name: "a", contact: "ANA@x.org", employees: 5 },
    { domain: "b", name: "b", contact: "ana@x.org", employees: 50 },
    { domain: "c", name: "c", contact: "bob@x.org" },
    { domain: "d", name: "d" },
  ]);
  assert.deepEqual(await leadIds(key, asked()), []);
  const [ana = "", bob = "", eve = ""] = (
    await addLeads(the, [{ email: "Ana@X.org" }, { email: "bob@x.org" }, { email: null }])
  ).sort();
  assert.deepEqual(await leadIds(key, asked()), [ana, bob]);
  assert.deepEqual(await leadIds(key, asked({ field: "employees", op: "gte", value: 10 })), [ana]);
  assert.deepEqual(await leadIds(key, asked(undefined, { op: "gte", value: 2 })), [ana]);
  assert.deepEqual(await leadIds(key, asked(undefined, { op: "eq", value: 1 })), [bob]);
  assert.deepEqual(await leadIds(key, asked(undefined, { op: "eq", value: 0 })), [eve]);
  assert.deepEqual(await leadIds(key, asked(undefined, { op: "lte", value: 1 })), [bob, eve]);
  assert.deepEqual(await leadIds(key, { not: asked({ field: "name", op: "eq", value: "A" }) }), [bob, eve]);
  const shown = async () =>
    (await found(key, { sort: [{ field: "name" }] })).rows.map(({ _lead_id }) => _lead_id);
  assert.deepEqual(await shown(), [ana, ana, bob, null]);
  assert.equal(
    (await found(key, { filter: { field: "_lead_id", op: "eq", value: ana } })).page_info.total,
    2,
  );
  await bodyOf(await key.send("PATCH", `/api/v1/leads/${eve}`, { email: "bob@x.org" }));
  await bodyOf(await key.send("DELETE", `/api/v1/leads/${bob}`), 204);
  assert.deepEqual(await leadIds(key, asked()), [ana, eve]);
  assert.deepEqual(await shown(), [ana, ana, eve, null]);
  await bodyOf(await key.send("PATCH", "/api/v1/datasets/companies", { lead_link: null }));
  assert.deepEqual(await shown(), [null, null, null, null]);
  await bodyOf(
    await key.send("PATCH", "/api/v1/datasets/companies", {
      lead_link: { column: "domain", match: "external_id" },
    }),
  );
  await the.sql("UPDATE store.lead SET external_id = 'c' WHERE id = $1", [ana]);
  assert.deepEqual(await shown(), [null, null, ana, null]);
  await bodyOf(
    await key.send("PATCH", "/api/v1/datasets/companies", { lead_link: { column: "phone", match: "phone" } }),
  );
  await written(key, [{ domain: "d", phone: "+55 11 91234-5678" }], "upsert");
  await the.sql("UPDATE store.lead SET phone_e164 = '+5511912345678' WHERE id = $1", [eve]);
  assert.deepEqual(await shown(), [null, null, null, eve]);
  await written(key, [{ domain: ana, name: "e" }]);
  await bodyOf(
    await key.send("PATCH", "/api/v1/datasets/companies", {
      lead_link: { column: "domain", match: "lead_id" },
    }),
  );
  assert.deepEqual(await shown(), [null, null, null, null, ana]);
  assert.deepEqual(await leadIds(key, asked({ field: "name", op: "eq", value: "e" })), [ana]);
});

test("an invalid dataset condition is reported with its path, and views and sentences support datasets", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  await make(key, { ...COMPANIES, key: "loose", name: "Loose", lead_link: null });
  const refused = async (filter: object) => {
    const { code, detail } = await bodyOf<{ code: string; detail: string }>(await key.query({ filter }), 400);
    return [code, detail.split(": ")[0]];
  };
  const WRONG: [object, string, string][] = [
    [asked(undefined, undefined, "a\0"), "unknown_dataset", "$.filter.dataset.key"],
    [asked(undefined, undefined, "loose"), "not_linked", "$.filter.dataset.key"],
    [asked({ field: "employes", op: "eq", value: 1 }), "unknown_field", "$.filter.dataset.where.field"],
    [{ or: Array(6).fill(asked()) }, "too_many_datasets", "$.filter.or[5]"],
  ];
  for (const [filter, code, path] of WRONG) assert.deepEqual(await refused(filter), [code, path]);
  const other = await the.newProject(the.person, "Other");
  const foreign = await keeper(the, other.id);
  assert.equal(
    (await bodyOf<{ code: string }>(await foreign.query({ filter: asked() }), 400)).code,
    "unknown_dataset",
  );
  const view = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/views", {
      name: "v",
      query: { filter: asked({ field: "employees", op: "gt", value: 1 }) },
    }),
    201,
  );
  const [ana] = await addLeads(the, [{ email: "ana@x.org" }, { email: "bob@x.org" }]);
  await written(key, [{ domain: "a", name: "a", contact: "ana@x.org", employees: 5 }]);
  assert.deepEqual(await leadIds(key, { view: view.id }), [ana]);
  const said = async (filter: object, locale: string) =>
    (
      await bodyOf<{ sentence: string; estimated_count: number }>(
        await key.send("POST", "/api/v1/leads/filters/validate", { filter, locale }),
      )
    ).sentence;
  const two = asked({ field: "name", op: "contains", value: "x" }, { op: "gte", value: 2 });
  assert.equal(await said(two, "en"), "has at least 2 rows in “Companies” where (Company name contains “x”)");
  assert.equal(
    await said(two, "pt-BR"),
    "tem pelo menos 2 linhas em “Companies” em que (Company name contém “x”)",
  );
  assert.equal(await said(asked(undefined, { op: "eq", value: 0 }), "en"), "has no row in “Companies”");
});

test("a lead includes its newest twenty linked rows, for callers who may read datasets", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  await make(key, {
    key: "notes",
    columns: [
      { key: "version", type: "text" },
      { key: "ext", type: "text" },
    ],
    lead_link: { column: "ext", match: "external_id" },
  });
  const [ana = ""] = await addLeads(the, [{ email: "ana@x.org", external_id: "e" }, { email: "bob@x.org" }]);
  await written(
    key,
    Array.from({ length: 25 }, (_, n) => ({ domain: `${n}`, name: `n${n}`, contact: "ana@x.org" })),
  );
  await written(key, [{ version: "9", ext: "e" }], "insert", "notes");
  type Shown = {
    id: string;
    version: number;
    datasets: Record<string, { rows: Record<string, unknown>[]; has_more: boolean }>;
  };
  const answer = await key.send("GET", `/api/v1/leads/${ana}?include=datasets`);
  assert.equal(answer.headers.get("etag"), '"1"');
  const one = await bodyOf<Shown>(answer);
  assert.deepEqual([one.datasets.companies?.rows.length, one.datasets.companies?.has_more], [20, true]);
  assert.equal(one.datasets.companies?.rows[0]?.name, "n0");
  assert.deepEqual(
    one.datasets.notes?.rows.map(({ version, _lead_id }) => [version, _lead_id]),
    [["9", ana]],
  );
  const named = await bodyOf<Shown>(await key.send("GET", `/api/leads/${ana}/?include=datasets.notes`));
  assert.deepEqual(Object.keys(named.datasets), ["notes"]);
  for (const [path, body] of [
    ["/api/leads/query/", { project_id: the.project.id }],
    ["/api/v1/leads/search", {}],
  ] as const) {
    const { leads } = await bodyOf<{ leads: Shown[] }>(
      await key.send("POST", path, {
        ...body,
        include: ["datasets.notes"],
        fields: ["email"],
        sort: [{ field: "email" }],
      }),
    );
    assert.deepEqual(
      leads.map(({ datasets }) => datasets.notes?.rows.length),
      [1, 0],
    );
  }
  const stranger = await the.key(["leads:read"]);
  assert.equal((await stranger.query({ include: ["datasets"] })).status, 403);
  assert.equal((await stranger.send("GET", `/api/v1/leads/${ana}?include=datasets`)).status, 403);
  assert.equal(
    (await stranger.query({ filter: asked() })).status,
    200,
    "filters ask datasets for whoever reads leads",
  );
  const refused = async (include: unknown[]) =>
    (await bodyOf<{ code: string }>(await key.query({ include }), 400)).code;
  assert.equal(await refused(["events"]), "unknown_include");
  assert.equal(await refused(["datasets.none"]), "unknown_dataset");
  assert.equal(await refused(["datasets.a\0"]), "unknown_include");
  assert.equal(await refused(Array(21).fill("datasets")), "too_many");
});

const FILTERS = 300;
const ROWS = 80;

test(`${FILTERS} random filters that ask datasets find what a plain reference finds`, async () => {
  await using the = await world();
  const key = await keeper(the);
  const random = pools.randomFrom(77);
  const some = <T>(list: readonly T[]): T | null => (random() < 0.25 ? null : pools.pick(random, list));
  const columns = [
    ...["name", "city", "ext"].map((each) => ({ key: each, type: "text" })),
    { key: "email", type: "email" },
    { key: "phone", type: "phone" },
    { key: "score", type: "number" },
    { key: "flag", type: "boolean" },
    { key: "status", type: "enum", options: pools.ENUMS },
    { key: "since", type: "date" },
    { key: "seen_at", type: "datetime" },
  ];
  const rows = Array.from(
    { length: ROWS },
    (): Lead => ({
      name: some(pools.TEXTS) || null,
      city: some(pools.TEXTS) || null,
      ext: some(pools.ENUMS),
      email: some(pools.EMAILS),
      phone: some(pools.PHONES),
      score: some(pools.NUMBERS),
      flag: some([true, false]),
      status: some(pools.ENUMS),
      since: some(pools.DAYS),
      seen_at: some(pools.TIMES),
    }),
  );
  await make(key, { key: "mails", columns, lead_link: { column: "email", match: "email" } });
  await make(key, { key: "exts", columns, lead_link: { column: "ext", match: "external_id" } });
  const [half, other] = [rows.slice(0, ROWS / 2), rows.slice(ROWS / 2)];
  await written(key, half, "insert", "mails");
  await written(key, other, "insert", "exts");
  await the.sql("ANALYZE store.dataset_row");
  const known = (list: Lead[]) => list.map((row) => ({ ...row, phone_e164: row.phone }));
  const datasets = new Map([
    [
      "mails",
      {
        rows: known(half),
        means: (row: Lead, lead: Lead) =>
          row.email !== null && lead.email !== null && lower(row.email) === lower(lead.email),
      },
    ],
    [
      "exts",
      {
        rows: known(other),
        means: (row: Lead, lead: Lead) => row.ext !== null && row.ext === lead.external_id,
      },
    ],
  ]);
  const { telling, differing } = await compare(the, { filters: FILTERS, leads: 400, seed: 99, datasets });
  assert.deepEqual(
    differing.filter((each) => !each.includes("too_many_datasets")),
    [],
  );
  assert.ok(differing.length < FILTERS / 50, `${differing.length} were too large`);
  assert.ok(telling > FILTERS / 2, `only ${telling} filters told leads apart`);
});
