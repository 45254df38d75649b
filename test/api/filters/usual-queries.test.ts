import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { serviceDoor } from "../../../src/db/pool/project-door.ts";
import { projectSchema } from "../../../src/domain/fields/project-schema.ts";
import { readFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { wantedIndexes } from "../../../src/domain/filter/wanted-indexes.ts";
import { built, want } from "../../field-indexes/support/indexes.ts";
import { large } from "../../large.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { randomFrom } from "../support/random-filter.ts";
import { bodyOf } from "../support/v1.ts";
import { addBusiest, BUSIEST, fill, wordLists } from "./support/usual-data.ts";
import { Draw, type Ground, USUAL, type UsualQuery } from "./support/usual-queries.ts";

const LEADS = 100_000;
const PAGES = USUAL.filter(({ kind }) => kind === "page");

large(
  "usual pages of 100,000 leads by fields, words, tags and rows of datasets are read from indexes, never from whole tables",
  {
    timeout: 900_000,
  },
  async () => {
    await using the = await world({ alone: true });
    const words = await wordLists();
    await the.sql("UPDATE store.project SET default_country = 'DE' WHERE project_id = $1", [the.project.id]);
    await fill(the.sql, [{ id: the.project.id, leads: LEADS, before: 0 }], words);
    await addBusiest(the.sql, the.project.id);
    for (const table of ["lead", "event", "dataset_row"]) await the.sql(`VACUUM ANALYZE store.${table}`);
    const key = await the.key(["leads:read", "leads:write", "datasets:read"]);
    const ground = await groundOf(the, key, words);
    const draw = new Draw(randomFrom(7));
    const wishes = await wished(the, ground, draw);
    want(the, wishes);
    await built(the, wishes.length);
    for (const table of TABLES) await the.sql(`VACUUM ANALYZE store.${table}`);
    const whole = async (queries: readonly UsualQuery[]): Promise<boolean> => {
      const before = await scans(the);
      for (const query of queries)
        for (let times = 0; times < 3; times += 1) await ask(key, query.ask(draw, ground));
      return (await scans(the)) > before;
    };
    const named = async (queries: readonly UsualQuery[]): Promise<string[]> => {
      if (!(await whole(queries))) return [];
      if (queries.length === 1) return queries.map(({ name }) => name);
      const half = queries.length >> 1;
      return [...(await named(queries.slice(0, half))), ...(await named(queries.slice(half)))];
    };
    // Of conditions on events, PostgreSQL may read all events of a kind and all leads, where a database has only this project.
    const byEvents = ({ ask }: UsualQuery) => JSON.stringify(ask(draw, ground)).includes('"event":');
    assert.deepEqual(await named(PAGES.filter((query) => !byEvents(query))), []);
  },
);

const TABLES = ["lead_order_text", "lead_order_number", "lead_order_moment", "lead_parts"];

/** What the queries want, as the service notes it of slow ones; of 100,000 leads hardly any is slow. */
async function wished(the: World, ground: Ground, draw: Draw): Promise<ReturnType<typeof wantedIndexes>> {
  const schema = await projectSchema(the.service.db.behind(serviceDoor(the.project.id)), the.project.id);
  const wishes = new Map<string, ReturnType<typeof wantedIndexes>[number]>();
  for (const query of PAGES) {
    const { body } = query.ask(draw, ground);
    const { filter, sort } = (body ?? {}) as { filter?: object; sort?: { field: string }[] };
    const isOwn = filter !== undefined && !/"(view|dataset)":/.test(JSON.stringify(filter));
    for (const wish of wantedIndexes(isOwn ? readFilter(filter, schema) : undefined, sort))
      wishes.set(`${wish.kind} ${wish.field}`, wish);
  }
  return [...wishes.values()];
}

async function groundOf(the: World, key: KeyActor, words: Ground["words"]): Promise<Ground> {
  const filter = { field: "score", op: "gte", value: 50 };
  const view = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/views", { name: "Hot", query: { filter } }),
    201,
  );
  const next = async (response: Promise<Response>) =>
    (await bodyOf<{ next_cursor: string }>(await response)).next_cursor;
  return {
    project: { id: the.project.id, leads: LEADS, busiest: BUSIEST, madeAt: new Date() },
    words,
    views: [view.id, view.id],
    searchCursor: await next(key.send("POST", "/api/v1/leads/search", { limit: 500 })),
    feedCursor: await next(key.send("GET", "/api/v1/events?limit=100")),
  };
}

async function ask(key: KeyActor, { path, body }: { path: string; body?: object }): Promise<void> {
  await bodyOf(await key.send(body === undefined ? "GET" : "POST", path, body));
}

/** How often a whole table of leads, events or rows was read, as PostgreSQL counts it. */
async function scans(the: World): Promise<number> {
  // A server process reports at most once a second.
  await sleep(1_100);
  const [counted] = await the.sql<{ n: number }>(
    "SELECT sum(seq_scan)::int AS n FROM pg_stat_user_tables WHERE relname IN ('lead', 'event', 'dataset_row', 'lead_order_text', 'lead_order_number', 'lead_order_moment', 'lead_parts')",
  );
  return counted?.n ?? 0;
}

test("no code of the service knows a value of the benchmarks", () => {
  const files = globSync("src/**/*.ts");
  assert.ok(files.length > 500);
  const known = /0bench|0every|contract\.signed|cold call|person_usual|rare-firm|isSteady/;
  assert.deepEqual(
    files.filter((path) => known.test(readFileSync(path, "utf8"))),
    [],
  );
});
