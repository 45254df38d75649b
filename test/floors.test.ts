import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { freshDatabase } from "./template.ts";

const sources = globSync("src/**/*.ts").sort();
const textOf = (path: string) => readFileSync(path, "utf8");

/** The floor of a file: its folder under src, `root` for those that stand in src itself. */
const floorOf = (path: string) => (path.split("/").length === 2 ? "root" : (path.split("/")[1] ?? ""));

/** Which floors a floor may import from, besides itself. */
const ALLOWED: Record<string, readonly string[]> = {
  core: [],
  config: ["core"],
  db: ["core"],
  domain: ["core", "db", "config"],
  wire: ["core", "domain"],
  http: ["core", "domain", "config"],
  surfaces: ["core", "domain", "wire", "http"],
  cli: ["core", "db", "domain", "server", "config"],
  server: ["core", "db", "domain", "http", "surfaces", "config"],
  root: ["cli"],
};

const importsOf = (path: string) =>
  [...textOf(path).matchAll(/from "(\.[^"]+)"/g)]
    .map(([, target = ""]) => relative(".", resolve(dirname(path), target)))
    .filter((target) => target.startsWith("src/"));

test("each floor imports only from the floors below it", () => {
  const wrong = sources.flatMap((path) =>
    importsOf(path).flatMap((target) => {
      const [from, to] = [floorOf(path), floorOf(target)];
      return from === to || ALLOWED[from]?.includes(to) ? [] : [`${path} → ${target}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test("a surface never imports a sibling", () => {
  const surfaces = sources.filter((path) => path.startsWith("src/surfaces/"));
  const wrong = surfaces.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith("src/surfaces/") && target.split("/")[2] !== path.split("/")[2])
      .map((target) => `${path} → ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test("the panel imports nothing of the service but the words that everyone shares", () => {
  const wrong = globSync("web/src/**/*.{ts,tsx}").flatMap((path) =>
    importsOf(path)
      .filter((target) => !target.startsWith("src/core/"))
      .map((target) => `${path} → ${target}`),
  );
  assert.deepEqual(wrong, []);
  const own = /from "node:|process\.env/;
  assert.deepEqual(
    globSync("src/core/*.ts").filter(
      (path) => own.test(textOf(path)) && !path.endsWith("secret.ts") && !path.endsWith("id.ts"),
    ),
    [],
  );
});

test("files stay small: none over 300 lines, half of them at most 60", () => {
  const sizes = sources.map((path) => ({ path, lines: textOf(path).split("\n").length }));
  assert.deepEqual(
    sizes.filter(({ lines }) => lines > 300),
    [],
  );
  const median = sizes.map(({ lines }) => lines).sort((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
  assert.ok(median <= 60, `the median is ${median}`);
});

test("only the configuration reads the environment", () => {
  const readers = sources.filter(
    (path) => textOf(path).includes("process.env") && path !== "src/config/config.ts",
  );
  assert.deepEqual(
    readers.filter((path) => !path.startsWith("src/db/embedded/")),
    [],
  );
});

test("nobody reaches around the wall between projects but the doors, a person's own list and the operator", () => {
  const around = sources.filter((path) =>
    /\bstore\./.test(textOf(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")),
  );
  assert.deepEqual(around, [
    "src/domain/tenancy/every-project.ts",
    "src/domain/tenancy/key-door.ts",
    "src/domain/tenancy/list-projects.ts",
    "src/domain/tenancy/token-door.ts",
    "src/domain/upkeep/end-everything.ts",
  ]);
});

test("no file is called utils, helpers, service layer, manager or common", () => {
  assert.deepEqual(
    sources.filter((path) => /\/(utils?|helpers?|manager|common)(\.ts|\/)/.test(path)),
    [],
  );
});

test("project tables can be distributed by project: keys, unique indexes and foreign keys begin with it", async () => {
  const database = await freshDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const unique = await client.query(
      `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
       WHERE t.relnamespace = 'store'::regnamespace AND i.indisunique AND a.attname <> 'project_id'`,
    );
    assert.deepEqual(unique.rows, []);
    const foreign = await client.query(
      `SELECT c.conname AS name FROM pg_constraint c
       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
       JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
       JOIN pg_class t ON t.oid = c.confrelid
       WHERE c.contype = 'f' AND c.connamespace = 'store'::regnamespace
         AND (a.attname <> 'project_id' OR b.attname <> 'project_id' OR t.relnamespace <> 'store'::regnamespace)`,
    );
    assert.deepEqual(foreign.rows, []);
    const bare = await client.query(
      `SELECT relname AS name FROM pg_class t WHERE t.relnamespace = 'store'::regnamespace AND t.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_class v WHERE v.relname = t.relname AND v.relnamespace = 'leadgate'::regnamespace AND v.relkind = 'v')`,
    );
    assert.deepEqual(bare.rows, [], "every project table stands behind a view");
    const secondary = await client.query(
      `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
       LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
       WHERE t.relnamespace = 'store'::regnamespace AND a.attname IS DISTINCT FROM 'project_id'`,
    );
    assert.deepEqual(secondary.rows, [], "no index is shared by two projects");
  } finally {
    await client.end();
    await database.drop();
  }
});
