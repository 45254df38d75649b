import assert from "node:assert/strict";
import pg from "pg";
import { serviceDoor } from "../../src/db/pool/project-door.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { bodyOf, keeper, make } from "./support/dataset.ts";

const ROWS = 20_000;

const COLUMNS = [
  { key: "domain", type: "text" },
  { key: "mail", type: "email" },
  { key: "plan", type: "text" },
  { key: "seats", type: "integer" },
];

/** Queries of rows, and the index that each should use. */
const QUERIES: Record<string, { query: object; index: string }> = {
  "newest rows": { query: {}, index: "dataset_row_newest" },
  "a column's value": {
    query: { filter: { field: "plan", op: "eq", value: "rare" } },
    index: "dataset_row_cells",
  },
  "a range of numbers": {
    query: { filter: { field: "seats", op: "between", value: [500, 510] } },
    index: "dataset_row_cells",
  },
  "words in any text": { query: { search: "domain777.example" }, index: "dataset_row_words" },
};

interface Wired {
  parse(query: { text: string; name?: string }, more?: boolean): void;
  bind(config: { statement?: string; values?: unknown[] }, more?: boolean): void;
}

/** Records every statement with its values that this process sends from now on. */
function statementsSent(): { text: string; values: unknown[] }[] {
  const sent: { text: string; values: unknown[] }[] = [];
  const texts = new Map<string, string>();
  const wire = pg.Connection.prototype as unknown as Wired;
  const { parse, bind } = wire;
  wire.parse = function (this: Wired, message, more) {
    texts.set(message.name ?? "", message.text);
    parse.call(this, message, more);
  };
  wire.bind = function (this: Wired, config, more) {
    sent.push({ text: texts.get(config.statement ?? "") ?? "", values: [...(config.values ?? [])] });
    bind.call(this, config, more);
  };
  return sent;
}

const asked = (where?: object, count?: object) => ({
  dataset: { key: "firms", ...(where && { where }), ...(count && { count }) },
});

/** Conditions on leads by a dataset. */
const CONDITIONS: Record<string, object> = {
  "leads with a row": asked(),
  "leads with a rare row": asked({ field: "plan", op: "eq", value: "rare" }),
  "leads without a row": asked(undefined, { op: "eq", value: 0 }),
  "leads with two rows": asked(undefined, { op: "gte", value: 2 }),
};

large(
  `queries of ${ROWS.toLocaleString("en")} rows, and leads asked by them, are answered from indexes, before and after merges`,
  async () => {
    const sent = statementsSent();
    await using the = await world({ alone: true });
    const key = await keeper(the);
    const { id } = await make(key, {
      key: "firms",
      columns: COLUMNS,
      key_column: "domain",
      lead_link: { column: "mail", match: "email" },
    });
    await the.sql(
      `INSERT INTO store.dataset_row (project_id, dataset_id, id, cells, link0, created_at)
     SELECT $1, $2, 'row_' || lpad(i::text, 26, '0'), jsonb_build_object('c1', 'domain' || i || '.example',
       'c2', 'p' || i || '@x.org', 'c3', CASE WHEN i % 1000 = 0 THEN 'rare' ELSE 'free' END, 'c4', i % 9000),
       'p' || i || '@x.org', now() - i * interval '1 minute' FROM generate_series(1, $3::integer) i`,
      [the.project.id, id, ROWS],
    );
    await the.sql(
      `INSERT INTO store.lead (project_id, id, name, email, created_at)
     SELECT $1, 'lead_' || lpad(i::text, 26, '0'), 'L' || i, 'p' || i * 2 || '@x.org', now() - i * interval '1 minute'
     FROM generate_series(1, $2::integer) i`,
      [the.project.id, ROWS],
    );
    await the.sql("VACUUM ANALYZE store.dataset_row");
    await the.sql("VACUUM ANALYZE store.lead");
    const db = the.service.db.behind(serviceDoor(the.project.id));
    const plans = async (call: () => Promise<Response>): Promise<string> => {
      sent.length = 0;
      await bodyOf(await call());
      const asks = sent.filter(({ text }) => text.includes("dataset_row"));
      assert.ok(asks.length > 0, "the rows were asked for");
      const shown: string[] = [];
      for (const { text, values } of [...asks]) {
        const lines = await db.query<{ "QUERY PLAN": string }>(`EXPLAIN (COSTS OFF) ${text}`, values);
        // On a cluster, the names of shards and of their indexes end with a number.
        shown.push(...lines.map((line) => line["QUERY PLAN"].replace(/_\d{6}\b/g, "")));
      }
      return shown.join("\n");
    };
    for (const [name, { query, index }] of Object.entries(QUERIES)) {
      const plan = await plans(() =>
        key.send("POST", "/api/datasets/firms/query/", { ...query, total: "none" }),
      );
      assert.doesNotMatch(plan, /Seq Scan on dataset_row/, `${name}\n${plan}`);
      assert.match(plan, new RegExp(`${index}\\b`), `${name}\n${plan}`);
    }
    for (const merged of [false, true]) {
      if (merged)
        await the.sql(
          "UPDATE store.lead SET merged_into_id = 'lead_' || lpad('1', 26, '0') WHERE id = 'lead_' || lpad('2', 26, '0')",
        );
      for (const [name, filter] of Object.entries(CONDITIONS)) {
        const plan = await plans(() => key.query({ filter, total: "none" }));
        assert.doesNotMatch(plan, /Seq Scan on (dataset_row|lead)\b/, `${name}, merged: ${merged}\n${plan}`);
        assert.match(plan, /dataset_row_(link0|cells)\b/, `${name}, merged: ${merged}\n${plan}`);
      }
    }
  },
);
