import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { serviceDoor } from "../../src/db/pool/project-door.ts";
import { type Sent, statementsOf } from "../erasure/support/statements.ts";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import {
  act,
  ask,
  fillByCalls,
  fillByImport,
  MAY,
  type Program,
  programOf,
  type Question,
  questionsOf,
  SIZES,
  setAll,
} from "./support/fresh-project.ts";

/** Buffers that a statement may read more of, whatever it reads once PostgreSQL has statistics. */
const FEW = 200;

/** From so many rows on, a table is looked at. */
const LOOKED_AT = 50;

/** How often PostgreSQL is given statistics of another sample. */
const SAMPLES = 3;

/** The share of statements that may read more than that. */
const SHARE = 0.05;

/** Statements of one question. */
interface Asked {
  name: string;
  sent: Sent[];
}

large(
  "what a project is asked as soon as it is filled reads hardly more than once all tables are analyzed",
  { timeout: 600_000 },
  async () => {
    await using the = await world({ alone: true });
    await withoutLuck(the);
    const called = await programOfProject(the, the.project.id);
    const imported = await programOfProject(the, (await the.newProject(the.person, "Imported")).id);
    await fillByCalls(called);
    const ofCalled = await asked(called, await questionsOf(called, { leads: SIZES.called, datasets: true }));
    const file = await fillByImport(imported);
    const questions = await questionsOf(imported, { leads: SIZES.imported, datasets: false });
    const ofImported = await asked(imported, questions);
    const set = await statementsOf(() => setAll(imported, "first"));
    const writes = set.filter(({ text }) => text.includes("UPDATE lead SET")).slice(0, 3);
    ofImported.push({ name: "set a field of all leads", sent: writes });
    // The last looks may come late on a busy machine.
    for (const { projectId } of [called, imported]) await untilLookedAt(the, projectId);
    const measure = async () => [
      ...(await buffers(the, called, ofCalled)),
      ...(await buffers(the, imported, ofImported)),
    ];
    // Whoever reads first marks what is dead in the indexes, and others need not read it again.
    await measure();
    const before = await measure();
    assert.ok(before.length > 250);
    // Statistics are of a sample: a plan that one of a few samples leads to is as good as theirs.
    const analyzed = before.map(() => 0);
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      await the.sql("ANALYZE");
      for (const [i, [, read]] of (await measure()).entries()) analyzed[i] = Math.max(analyzed[i] ?? 0, read);
    }
    const worse = before
      .map(([name, read], i) => ({ name, read, analyzed: analyzed[i] ?? 0 }))
      .filter(({ read, analyzed }) => read > 2 * analyzed + FEW);
    assert.ok(worse.length <= before.length * SHARE, JSON.stringify(worse));
    await act(imported, file, "undo");
  },
);

test("whatever a new project gets many of, PostgreSQL soon plans for, also beside other projects", async () => {
  await using the = await world({ alone: true });
  await withoutLuck(the);
  const second = await the.newProject(the.person, "Second");
  for (const { id } of [the.project, second]) {
    await fillByCalls(await programOfProject(the, id));
    assert.equal(await untilLookedAt(the, id), 2);
  }
});

test("whoever writes what projects have many of says how much that is", () => {
  const sources = globSync("src/**/*.ts").map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const named = (of: RegExp, but: RegExp) =>
    sources.filter(({ text }) => of.test(text) && !but.test(text)).map(({ path }) => path);
  assert.deepEqual(named(/\.made = true/, /export function made\(/), []);
  const silent = named(
    /INSERT INTO (lead|event|change|change_item|dataset_row)\b/,
    /\b(made|recordChange)\(/,
  );
  // What the first one saves, `write-rows` records as items of a change. The second is of dry runs, the third a part of `change-leads`.
  const known = [
    "src/domain/datasets/rows/save-rows.ts",
    "src/domain/imports/run/dry-leads.ts",
    "src/domain/leads/write/change-events.ts",
  ];
  assert.deepEqual(silent.sort(), known);
});

/** Waits until PostgreSQL plans for what the project has many of; returns the number of its datasets. */
async function untilLookedAt(the: World, projectId: string): Promise<number> {
  for (const table of ["lead", "event", "change_item"]) await untilPlanned(the, projectId, table);
  const datasets = await the.sql<{ id: string }>("SELECT id FROM store.dataset WHERE project_id = $1", [
    projectId,
  ]);
  for (const { id } of datasets) await untilPlanned(the, projectId, "dataset_row", `dataset_id = '${id}'`);
  return datasets.length;
}

/** Waits until PostgreSQL plans for at least half of the project's rows of a table. */
async function untilPlanned(the: World, projectId: string, table: string, more = "true"): Promise<void> {
  const own = the.service.db.behind(serviceDoor(projectId));
  const from = `FROM ${table} WHERE project_id = $1 AND ${more}`;
  const [counted] = await own.query<{ rows: number }>(`SELECT count(*)::int AS rows ${from}`, [projectId]);
  for (;;) {
    const [row] = await own.query<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
      `EXPLAIN (FORMAT JSON) SELECT ${from}`,
      [projectId],
    );
    const planned = row?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
    const rows = counted?.rows ?? 0;
    if (planned * 2 >= rows || rows < LOOKED_AT) return;
    await sleep(50);
  }
}

/** Autovacuum would analyze the tables sooner or later. */
async function withoutLuck(the: World): Promise<void> {
  const tables = await the.sql<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'store'::regnamespace",
  );
  for (const { name } of tables) await the.sql(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
}

async function programOfProject(the: World, projectId: string): Promise<Program> {
  return programOf(the.baseUrl, projectId, (await the.key(MAY, projectId)).text);
}

/** Asks the questions, which must be answered, and returns the statements that read for each. */
async function asked(program: Program, questions: readonly Question[]): Promise<Asked[]> {
  const all: Asked[] = [];
  for (const question of questions) {
    const sent = await statementsOf(async () => {
      const { status, text } = await ask(program, question);
      assert.equal(status, 200, `${question.name}: ${text}`);
    });
    all.push({ name: question.name, sent: sent.filter(({ text }) => /^\s*(WITH|SELECT)\b/.test(text)) });
  }
  return all;
}

/** Returns how many buffers each statement reads now, by its question. What it writes is rolled back. */
async function buffers(
  the: World,
  { projectId }: Program,
  all: readonly Asked[],
): Promise<[string, number][]> {
  const counted: [string, number][] = [];
  for (const { name, sent } of all)
    for (const [n, { text, values }] of sent.entries()) {
      const own = the.service.db.behind(serviceDoor(projectId));
      await own
        .transaction(async (tx) => {
          await tx.allow(60_000);
          const [row] = await tx.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
            `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
            values,
          );
          const plan = row?.["QUERY PLAN"][0].Plan ?? {};
          counted.push([
            `${name} ${n}`,
            (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
          ]);
          throw new RolledBack();
        })
        .catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error;
        });
    }
  return counted;
}

class RolledBack extends Error {}
