import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { newId } from "../../../src/core/id.ts";
import { insertAll, olderDatabase } from "../../changes/support/older-database.ts";
import {
  errorsOf,
  keeper,
  make,
  found as rowsFound,
  write,
  written,
} from "../../datasets/support/dataset.ts";
import { inStep } from "../../field-indexes/support/indexes.ts";
import { type KeyActor, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { bodyOf } from "../support/v1.ts";

const decomposed = (text: string): string => text.normalize("NFD");

/** As other programs write it: with blanks that do not break, letters of several characters, and sigmas of every kind. */
const WRITTEN = {
  name: "Ana\u00a0Souza\u2009Reis",
  first_name: "Νίκος",
  last_name: decomposed("김"),
  company: decomposed("한국"),
  job_title: "Διευθυντής",
  source: "Τύπος\u202fA",
  custom: { note: "Gold\u3000ΤΎΠΟΣ" },
};

const FOUND: object[] = [
  { search: "ana souza reis" },
  { search: "ΝΊΚΟΣ 김" },
  { search: "한국" },
  ...[
    { field: "name", op: "contains", value: "a s" },
    { field: "name", op: "eq", value: "ana souza reis" },
    { field: "first_name", op: "eq", value: "νικοσ" },
    { field: "company", op: "eq", value: "한국" },
    { field: "company", op: "contains", value: decomposed("국") },
    { field: "job_title", op: "starts_with", value: "ΔΙΕΥΘΥΝΤΉΣ" },
    { field: "source", op: "in", value: ["τυποσ a"] },
    { field: "source", op: "eq", value: "ΤΎΠΟΣ\u00a0A" },
    { field: "custom.note", op: "eq", value: "gold τύπος" },
    { field: "custom.note", op: "ends_with", value: "τύπος" },
  ].map((filter) => ({ filter })),
];

const DUPLICATE = [[0, "code", "duplicate"]];

/** Conditions that an index can serve, and how many rows of the older database meet them. */
const BY_INDEX: [table: string, asked: string, rows: number][] = [
  ["lead", "deleted_at IS NULL AND merged_into_id IS NULL AND fold(source) = 'τυποσ a'", 1],
  [
    "lead",
    "full_name(first_name, last_name) <> coalesce(name, '') AND fold(full_name(first_name, last_name)) LIKE '%νικοσ 김%'",
    3,
  ],
  ["lead", "custom_terms(custom) @> ARRAY['note=gold τυποσ']", 3],
  ["lead", "search_text LIKE '%ana souza%'", 3],
  ["dataset_row", "dataset_id = 'ds' AND search_text LIKE '%a τυποσ%'", 2],
  ["dataset_row", "dataset_id = 'ds' AND custom_terms(cells) @> ARRAY['c0=b c']", 1],
];

async function assertFound(key: KeyActor, id: string): Promise<void> {
  for (const body of FOUND) {
    const { leads } = await bodyOf<{ leads: { id: string }[] }>(
      await key.send("POST", "/api/v1/leads/search", body),
    );
    assert.deepEqual(
      leads.map((lead) => lead.id),
      [id],
      JSON.stringify(body),
    );
  }
}

test("blanks of every width, letters of several characters and final sigmas are found by any spelling of them", async () => {
  await using the = await world();
  const key = await keeper(the);
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'note', 'Note', 'text')",
    [the.project.id],
  );
  const [id = ""] = await addLeads(the, [WRITTEN, { name: "Other", source: "τ", custom: { note: "gold" } }]);
  await assertFound(key, id);
  const stored = await bodyOf<object>(await key.send("GET", `/api/v1/leads/${id}`));
  assert.deepEqual({ ...stored, ...WRITTEN }, stored);
  await make(key, {
    key: "companies",
    name: "C",
    columns: [{ key: "code", type: "text", unique: true }],
    key_column: "code",
  });
  await written(key, [{ code: "a\u00a0ΤΎΠΟΣ" }]);
  assert.deepEqual(await errorsOf(await write(key, [{ code: "a τύπος" }])), DUPLICATE);
});

test("what was stored before blanks, letters and sigmas were compared so is found by them after the upgrade, as it was", async () => {
  const project = { project_id: newId("prj") };
  const lead = (id: string, more: object) => ({
    ...{ ...project, id, created_at: "2026-01-02T03:04:05.678901+00:00", emails: [], phones: [], tags: [] },
    ...{
      ...WRITTEN,
      status: "new",
      do_not_contact: false,
      version: 7,
      updated_at: "2026-02-01T00:00:00+00:00",
    },
    ...more,
  });
  const ids = ["a", "b", "c", "d"].map((letter) => `lead_${letter.repeat(26)}`);
  const [living = "", deleted = "", merged = "", plain = ""] = ids;
  const columns = [
    { slot: "c0", key: "code", label: "code", type: "text", required: true, unique: true, options: [] },
  ];
  const row = (id: string, code: string) => ({
    ...project,
    dataset_id: "ds",
    id,
    cells: { c0: code },
    created_at: "2026-01-01",
    updated_at: "2026-01-01",
    version: 1,
  });
  const stored = (table: string) =>
    `SELECT to_jsonb(t) - 'search_text' AS row FROM store.${table} t WHERE project_id = '${project.project_id}' ORDER BY id`;
  let before: unknown[] = [];
  const url = await olderDatabase("0081", async (client) => {
    await insertAll(client, {
      "store.project": [{ ...project, name: "Old", slug: "old" }],
      "store.custom_field": [
        { ...project, key: "note", label: "Note", type: "text", options: [], position: 0, timeline: true },
      ],
    });
    for (const [field, kind] of [
      ["custom.note", "order"],
      ["company", "order"],
      ["company", "parts"],
    ])
      await client.query(
        `INSERT INTO store.field_index (project_id, id, field, kind, form, requested, built_at, leads)
         SELECT $1, 1 + (SELECT count(*) FROM store.field_index), $2, $3, 'folded', true, now(), 4`,
        [project.project_id, field, kind],
      );
    await insertAll(client, {
      "store.lead": [
        lead(living, { deleted_at: null, merged_into_id: null }),
        lead(deleted, { deleted_at: "2026-03-01T00:00:00+00:00" }),
        lead(merged, { merged_into_id: living }),
        lead(plain, {
          ...Object.fromEntries(Object.keys(WRITTEN).map((name) => [name, null])),
          name: "José",
          custom: { note: "x" },
        }),
      ],
      "store.dataset": [
        {
          ...project,
          id: "ds",
          key: "companies",
          name: "C",
          columns,
          key_column: "code",
          dropped: [],
          slots: 1,
          version: 1,
          created_at: "2026-01-01",
          updated_at: "2026-01-01",
        },
      ],
      "store.dataset_row": [row("r1", "a\u00a0ΤΎΠΟΣ"), row("r2", "a τύποσ"), row("r3", "b\u00a0c")],
    });
    await client.query(
      `INSERT INTO store.dataset_unique SELECT project_id, dataset_id, 'c0', unique_value(cells ->> 'c0', true), id FROM store.dataset_row`,
    );
    before = [
      ...(await client.query(stored("lead"))).rows,
      ...(await client.query(stored("dataset_row"))).rows,
    ];
  });
  await using the = await world({ env: { DATABASE_URL: url } });
  assert.deepEqual([...(await the.sql(stored("lead"))), ...(await the.sql(stored("dataset_row")))], before);
  const key = await keeper(the, project.project_id);
  await assertFound(key, living);
  await inStep(the);
  const gone = await bodyOf<{ leads: { id: string }[] }>(
    await key.send("POST", "/api/v1/leads/search", { ...FOUND[0], deleted: true }),
  );
  assert.deepEqual(
    gone.leads.map(({ id }) => id),
    [deleted],
  );
  // the indexes have what the tables have
  const client = new pg.Client({ connectionString: url, options: "-c search_path=leadgate,public" });
  await client.connect();
  for (const [table, asked, count] of BY_INDEX) {
    const counted = `SELECT count(*)::integer AS n FROM store.${table} WHERE project_id = $1 AND ${asked}`;
    for (const how of ["seqscan", "indexscan, bitmapscan"]) {
      for (const each of ["seqscan", "indexscan", "bitmapscan"])
        await client.query(`SET enable_${each} = ${how.includes(each) ? "on" : "off"}`);
      const { rows } = await client.query<{ n: number }>(counted, [project.project_id]);
      assert.equal(rows[0]?.n, count, `${asked} by ${how}`);
    }
  }
  await client.end();
  const rows = await rowsFound(key, { search: "a τύπος" });
  assert.equal(rows.rows.length, 2);
  assert.deepEqual(await errorsOf(await write(key, [{ code: "B C" }])), DUPLICATE);
  assert.deepEqual(await errorsOf(await write(key, [{ code: "a ΤΎΠΟΣ" }])), DUPLICATE);
});
