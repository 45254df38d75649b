import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { freshDatabase } from "./template.ts";

const sources = globSync("src/**/*.ts").sort();
const panel = globSync("web/src/**/*.{ts,tsx}").sort();
const textOf = (path: string) => readFileSync(path, "utf8");

/**
 * The rooms of the service, from the bottom up: a file imports from its own room and from rooms on lines
 * above its own. Rooms on one line do not import each other. A folder's own files may import its subfolders.
 */
const ROOMS = `
  core
  contract/lists
  contract/basics
  contract/fields contract/imports contract/oauth
  contract/filters
  contract/jobs contract/datasets
  contract/leads
  contract/timeline
  contract/changes
  contract
  observe/metrics
  config
  observe/trace observe/log
  db/wire db/embedded/host
  db/statements
  db/pool db/embedded/server
  db/embedded db/migration
  db/backup/files
  db/backup/wal db/backup/store
  db
  db/backup db/distribute
  domain/values domain/sql
  domain/tenancy
  domain/live
  domain/operation/service
  domain/operation/limits domain/operation/audit
  domain/operation/mail
  domain/operation
  domain/changes
  domain/fields domain/accounts/people domain/api-keys domain/clients
  domain/suppression
  domain/accounts/sessions domain/jobs domain/filter/tree domain/field-index
  domain/accounts/sign-in domain/filter/read
  domain/accounts domain/filter/sql domain/filter/sentence domain/projects/members
  domain/filter domain/projects/invitations
  domain/projects domain/leads/read domain/datasets/definition
  domain/leads/identity domain/datasets/rows
  domain/leads/write domain/datasets
  domain/exports/rows
  domain/leads/merge domain/leads/bulk domain/leads/figures domain/leads/presence domain/exports domain/grants domain/views
  domain/timeline domain/custom-fields domain/statuses
  domain/undo/rule
  domain/undo/kinds
  domain/undo
  domain/imports/file/shape
  domain/imports/file/text domain/imports/file/json domain/imports/file/table domain/imports/file/sheet
  domain/imports/file
  domain/imports/mapping/words domain/imports/mapping/presets
  domain/imports/mapping
  domain/imports/questions
  domain/imports/run
  domain/imports domain/usage
  domain/history/read
  domain/history
  domain/approvals
  domain/erasure
  domain/upkeep/backups
  domain/upkeep
  http/request http/response http/openapi
  http/observe
  http/route http/session
  http/admission
  surfaces/api/shared surfaces/mcp/protocol surfaces/oauth/shared surfaces/pages/shared surfaces/panel
  surfaces/api/v1/leads surfaces/api/v1/datasets/rows surfaces/api/v1/imports
  surfaces/api/v1/datasets
  surfaces/api/current/leads surfaces/api/current/datasets
  surfaces/api/v1 surfaces/api/current
  surfaces/mcp/tools/shared
  surfaces/mcp/tools/timeline surfaces/mcp/tools/leads surfaces/mcp/tools/context surfaces/mcp/tools/datasets surfaces/mcp/tools/search
  surfaces/mcp/tools/changes surfaces/mcp/tools/bulk surfaces/mcp/tools/former surfaces/mcp/resources surfaces/mcp/calls
  surfaces/mcp/tools surfaces/mcp/prompts surfaces/mcp/transport
  surfaces/mcp
  surfaces/oauth/endpoints surfaces/oauth/authorize
  surfaces/oauth
  surfaces/pages/sign-in surfaces/pages/reset surfaces/pages/passkeys surfaces/pages/members surfaces/pages/log
    surfaces/pages/settings surfaces/pages/account surfaces/pages/email surfaces/pages/two-factor surfaces/pages/invitation surfaces/pages/setup
    surfaces/pages/api-keys surfaces/pages/applications surfaces/pages/connected-apps surfaces/pages/approvals surfaces/pages/forgot surfaces/pages/sign-out
    surfaces/pages/backups
    surfaces/pages/projects surfaces/pages/well-known
  surfaces/pages/start
  surfaces/pages
  server
  cli/demo cli/instance cli/doctor
  cli
  .`;

/** The rooms of the panel (web/src). */
const PANEL_ROOMS = `
  session
  words
  drafts
  api
  live/stream
  live
  address
  look
  shortcuts
  parts
  table
  changes
  records
  statuses
  filter/model
  filter/words
  filter/values
  filter/rows
  filter
  datasets/model
  datasets/rows
  datasets/paste
  datasets/schema
  datasets/grid
  datasets/list
  datasets
  imports/record
  imports/file
  imports/columns
  imports/questions
  imports/check
  imports/result
  imports/list
  imports
  duplicates
  lead/context
  lead/values
  lead/activity
  lead/head
  lead
  leads/list
  leads/table
  leads/bulk
  leads/create
  leads/views
  leads
  board
  dashboard/data
  dashboard/cards
  dashboard
  exports
  fields
  usage
  history
  assistants/host
  assistants/parts
  assistants/results assistants/lead assistants/change
  frame
  .`;

/** The top folders of src that a top folder may import from, besides itself. */
const ALLOWED: Record<string, readonly string[]> = {
  core: [],
  observe: ["core", "config"],
  contract: ["core"],
  config: ["core"],
  db: ["core", "observe"],
  domain: ["core", "observe", "contract", "db", "config"],
  http: ["core", "observe", "contract", "domain", "config"],
  surfaces: ["core", "contract", "domain", "http"],
  server: ["core", "observe", "contract", "db", "domain", "http", "surfaces", "config"],
  cli: ["core", "contract", "db", "domain", "server", "config"],
  root: ["cli"],
};

/** Returns the top folder of a file, `root` for files directly in src. */
const floorOf = (path: string) => (path.split("/").length === 2 ? "root" : (path.split("/")[1] ?? ""));

/** Returns the files that a file imports, types included; `text` is what the file says. */
const importsOf = (path: string, text = textOf(path)) =>
  [...text.matchAll(/(?:from|import|import\() ?"(\.[^"]+)"/g)].map(([, target = ""]) =>
    relative(".", resolve(dirname(path), target)),
  );

/** Returns the files whose values a file imports; `import { type T }` loads the file too. */
const loadsOf = (path: string, text = textOf(path)) =>
  importsOf(path, text.replaceAll(/^(?:import|export) type\b[^;]*;/gm, ""));

/** Returns imports of a room that is not below, and folders that are not in the list. */
function wrongRooms(root: string, list: string, files: readonly string[]): string[] {
  // A further indented line continues the line before it.
  const lines = list.split(/\n(?! {4})/).map((line) => line.trim().split(/\s+/));
  const floors = new Map(lines.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));
  const roomOf = (path: string) => relative(root, dirname(path)) || ".";
  return files.flatMap((path) => {
    const room = roomOf(path);
    const floor = floors.get(room);
    if (floor === undefined) return [`${path}: the room ${room} is not in the list`];
    return importsOf(path)
      .filter((target) => target.startsWith(`${root}/`) && roomOf(target) !== room)
      .filter((target) => (floors.get(roomOf(target)) ?? Number.POSITIVE_INFINITY) >= floor)
      .map((target) => `${path} → ${target}`);
  });
}

test("each room imports only from the rooms below it", () => {
  assert.deepEqual(wrongRooms("src", ROOMS, sources), []);
  assert.deepEqual(wrongRooms("web/src", PANEL_ROOMS, panel), []);
});

test("each top folder imports only from those that it may", () => {
  const wrong = sources.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith("src/"))
      .flatMap((target) => {
        const [from, to] = [floorOf(path), floorOf(target)];
        return from === to || ALLOWED[from]?.includes(to) ? [] : [`${path} → ${target}`];
      }),
  );
  assert.deepEqual(wrong, []);
});

test("nothing that the check covers imports from lab, which it leaves out", () => {
  const checked = globSync("{src,test,web/src,docs,demo,packaging}/**/*.{ts,tsx}");
  const wrong = checked.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith("lab/"))
      .map((target) => `${path} → ${target}`),
  );
  assert.ok(checked.length > 1_000);
  assert.deepEqual(wrong, []);
});

test("no file is part of an import cycle, type imports included", () => {
  const open = new Map([...sources, ...panel].map((path) => [path, new Set(importsOf(path))]));
  // Removes files without remaining imports until none is left; the rest form cycles.
  for (let size = -1; size !== open.size; ) {
    size = open.size;
    for (const [path, targets] of open)
      if (![...targets].some((target) => open.has(target))) open.delete(path);
  }
  assert.deepEqual([...open.keys()], []);
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

/** What the panel may import of the service: every type of the contract, values only without TypeBox. */
const PANEL_MAY = { types: /^src\/(core|contract)\//, values: /^src\/(core|contract\/lists)\// };

test("the panel imports nothing of the service but core and the contract, and no value that needs TypeBox", () => {
  const wrong = panel.flatMap((path) => {
    const ofService = (targets: readonly string[], may: RegExp) =>
      targets.filter((target) => target.startsWith("src/") && !may.test(target));
    return [
      ...ofService(importsOf(path), PANEL_MAY.types),
      ...ofService(loadsOf(path), PANEL_MAY.values),
    ].map((target) => `${path} → ${target}`);
  });
  assert.deepEqual(wrong, []);
  const noun = 'import { type View } from "../../../src/contract/views.ts";\n';
  const loaded = ["src/contract/views.ts"];
  assert.deepEqual(loadsOf("web/src/leads/x.ts", noun), loaded);
  assert.deepEqual(loadsOf("web/src/leads/x.ts", noun.replace("{ type View }", "type { View }")), []);
  const own = /from "node:|process\.env/;
  assert.deepEqual(
    globSync("src/core/*.ts").filter(
      (path) => own.test(textOf(path)) && !path.endsWith("secret.ts") && !path.endsWith("id.ts"),
    ),
    [],
  );
});

test("the contract needs nothing but TypeBox, and its lists nothing at all", () => {
  const packages = (path: string) =>
    [...textOf(path).matchAll(/(?<![.:])(?:from|import|import\() ?"([^."][^",\n]*)"/g)].map(
      ([, name]) => name,
    );
  const wrong = sources
    .filter((path) => path.startsWith("src/contract/"))
    .filter((path) =>
      packages(path).some(
        (name) => path.startsWith("src/contract/lists/") || !/^typebox(\/|$)/.test(name ?? ""),
      ),
    );
  assert.deepEqual(wrong, []);
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

test("only tenancy, upkeep, backups and the distribution of tables reach around the wall between projects", () => {
  const around = sources.filter((path) =>
    /\bstore\.(?!ts")/.test(textOf(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")),
  );
  const wrong = around.filter(
    (path) => !/^src\/(domain\/(tenancy|upkeep)|db\/(backup|distribute))\//.test(path),
  );
  assert.deepEqual(wrong, []);
  assert.ok(around.length > 0);
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
    const hidden = await client.query(
      `SELECT v.relname AS view, a.attname AS column FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
       JOIN pg_class v ON v.relnamespace = 'leadgate'::regnamespace AND v.relname IN (t.relname, 'written_' || t.relname)
       WHERE t.relnamespace = 'store'::regnamespace AND t.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
         AND NOT EXISTS (SELECT FROM pg_attribute b WHERE b.attrelid = v.oid AND b.attname = a.attname)`,
    );
    assert.deepEqual(hidden.rows, [], "a view shows every column of its table");
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
