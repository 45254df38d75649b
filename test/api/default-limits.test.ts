import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, type World, world } from "../world.ts";
import { bodyOf } from "./support/v1.ts";

const COUNT = 52;
const ACTOR = `'{"type": "key", "id": "key_gone", "label": "test"}'`;

const id = (prefix: string, n: number | string): string => `${prefix}_${String(n).padStart(26, "0")}`;

/** Makes 52 of everything that is listed; the first lead has all events, and all others are its duplicates. */
async function fill(the: World): Promise<void> {
  const insert = (into: string, columns: string, values: string) =>
    the.sql(
      `INSERT INTO store.${into} (project_id, ${columns})
       SELECT $1, ${values} FROM generate_series(1, ${COUNT}) n CROSS JOIN lpad(n::text, 26, '0') AS padded`,
      [the.project.id],
    );
  await insert("lead", "id, email", "'lead_' || padded, 'ana@example.org'");
  await insert(
    "event",
    "id, lead_id, type, title, actor, occurred_at",
    `'evt_' || padded, '${id("lead", 1)}', 'call.made', 'Call', ${ACTOR}, moment()`,
  );
  await insert(
    "saved_view",
    "id, name, query, created_by",
    `'view_' || padded, 'View ' || n, '{}', ${ACTOR}`,
  );
  const job = (kind: string, input: object) =>
    `'${kind}', 'done', '${JSON.stringify(input)}', ${ACTOR}, '{}', 1`;
  const columns = "id, kind, state, input, actor, credential, total";
  await insert(
    "job",
    columns,
    `'job_' || padded, ${job("bulk", { op: "tag_add", tags: ["hot"], filter: { and: [] } })}`,
  );
  await insert("job", columns, `'exp_' || padded, ${job("export", { format: "csv" })}`);
  await insert("dataset", "id, key, name, columns", "'ds_' || padded, 'set_' || padded, 'Set', '[]'");
  await insert("dataset_row", "id, dataset_id", `'row_' || padded, '${id("ds", 1)}'`);
  await insert("import", "id, file_name, state, actor", `'imp_' || padded, 'a.csv', 'done', ${ACTOR}`);
  await insert(
    "import",
    "id, file_name, state, actor, dataset_id",
    `'imp_1' || right(padded, 25), 'a.csv', 'done', ${ACTOR}, '${id("ds", 1)}'`,
  );
  const failure = '[{"column": "a", "code": "type", "message": "no"}]';
  await insert(
    "import_failure",
    "import_id, number, row, cells, faults",
    `'${id("imp", 1)}', n, n, '[]', '${failure}'`,
  );
  await insert("change", "id, kind, surface, actor", `'chg_' || padded, 'undo', 'api', ${ACTOR}`);
  await the.sql("UPDATE store.import SET undo_change_id = $2 WHERE id = $1", [id("imp", 1), id("chg", 1)]);
  await insert(
    "change_item",
    "change_id, id, kind, record_id, after",
    `'${id("chg", 1)}', 'evt_' || padded, 'kept', 'lead_' || padded,
      '{"kind": "lead", "put_back": [], "kept": [{"field": null, "reason": "changed_since"}]}'`,
  );
}

const LISTS = [
  `GET /api/v1/leads/${id("lead", 1)}/duplicates`,
  "POST /api/v1/leads/search",
  "POST /api/leads/query/",
  "GET /api/v1/events",
  `GET /api/v1/leads/${id("lead", 1)}/events`,
  `GET /api/leads/${id("lead", 1)}/timeline/`,
  "GET /api/v1/views",
  "GET /api/v1/jobs",
  "GET /api/v1/exports",
  "GET /api/v1/imports",
  `GET /api/v1/imports?dataset=${id("ds", 1)}`,
  `GET /api/v1/imports/${id("imp", 1)}/errors`,
  `GET /api/v1/imports/${id("imp", 1)}/kept`,
  "GET /api/v1/datasets",
  "GET /api/datasets/",
  `GET /api/v1/datasets/${id("ds", 1)}/rows`,
  `POST /api/v1/datasets/${id("ds", 1)}/query`,
  `POST /api/datasets/${id("ds", 1)}/query/`,
];

/** Returns the items of a page, and what to ask for the next one. */
async function page(
  key: KeyActor,
  list: string,
  place: Record<string, string> = {},
): Promise<{ items: unknown[]; next: Record<string, string> }> {
  const [method = "", path = ""] = list.split(" ");
  const call = () => {
    if (method === "GET")
      return key.send(method, `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(place)}`);
    const body = place.offset === undefined ? place : { offset: Number(place.offset) };
    return path === "/api/leads/query/" ? key.query(body) : key.send(method, path, body);
  };
  const body = await bodyOf<Record<string, unknown>>(await call());
  const items = Object.values(body).find((member) => Array.isArray(member)) ?? [];
  const info = body.page_info as { next_offset: number | null } | undefined;
  return {
    items,
    next: info === undefined ? { cursor: String(body.next_cursor) } : { offset: String(info.next_offset) },
  };
}

test("a list without a limit has fifty items a page, and the next page goes on behind them", async () => {
  await using the = await world();
  await fill(the);
  const key = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:import"]);
  for (const list of LISTS) {
    const first = await page(key, list);
    assert.equal(first.items.length, 50, list);
    const second = await page(key, list, first.next);
    const all = [...first.items, ...second.items].map((item) => JSON.stringify(item));
    const expected = list.endsWith("/duplicates") ? COUNT - 1 : COUNT;
    assert.deepEqual([all.length, new Set(all).size], [expected, expected], list);
  }
});
