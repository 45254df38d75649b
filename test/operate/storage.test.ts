import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { world } from "../world.ts";
import { blocksOf } from "./support/blocks.ts";

const TABLES = `SELECT relnamespace::regnamespace || '.' || relname AS name FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`;

test("the page about storage says of every table of the database what bounds it, and of no other", async () => {
  await using the = await world();
  const page = readFileSync(new URL("../../docs/operate/storage.md", import.meta.url), "utf8");
  const lines = [...page.matchAll(/^\| `((?:leadgate|store|leadgate_worker)\.\w+)` +\| +\S.*\| +\S.* \|$/gm)];
  const listed = lines.map(([, name]) => name);
  const tables = await the.sql<{ name: string }>(TABLES);
  assert.deepEqual(listed.toSorted(), tables.map(({ name }) => name).toSorted());
});

test("the statements of the page about storage show how large the database and its tables are", async () => {
  await using the = await world();
  const blocks = blocksOf("storage.md");
  assert.deepEqual(
    blocks.map(({ language }) => language),
    ["sql", "sql"],
  );
  const [database, tables] = await Promise.all(blocks.map(({ text }) => the.sql<object>(text)));
  assert.match(JSON.stringify(database), /"database":"\d+ (kB|MB)"/);
  assert.equal(tables?.length, 10);
  assert.match(JSON.stringify(tables), /"name":"store\.lead"/);
});
