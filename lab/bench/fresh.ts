import { rmSync } from "node:fs";
import process from "node:process";
import { newId } from "../../src/core/id.ts";
import {
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
} from "../../test/api/support/fresh-project.ts";
import { type ServiceProcess, startService } from "../../test/processes/service-process.ts";
import { type BenchDatabase, benchDatabase } from "./support/database.ts";
import { load } from "./usual/usual-caller.ts";

const FOLDER = "data/bench-fresh";
/** How much longer the answers may take in a fresh installation than once all tables are analyzed. */
const GOAL = 2;
/** Below this, a difference is noise, in milliseconds. */
const NOISE_MS = 50;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Measures what people meet who try the product: fills a fresh installation over HTTP, asks the usual questions at once, and again
 * after ANALYZE. Autovacuum is off, as if it came too late.
 */
export async function fresh(): Promise<void> {
  try {
    await using database = await benchDatabase({ fresh: true, folder: FOLDER });
    const tables = await database.sql<{ name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'store'::regnamespace",
    );
    for (const { name } of tables) await database.sql(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
    await using service = await startService(database.url);
    say(`load of the machine before: ${load()}`);
    const called = await program(database, service);
    await timed("filled by calls", () => fillByCalls(called));
    const ofCalled = await questionsOf(called, { leads: SIZES.called, datasets: true });
    const first = await times(called, ofCalled);
    const imported = await program(database, service);
    await timed("filled by an import", () => fillByImport(imported));
    const ofImported = await questionsOf(imported, { leads: SIZES.imported, datasets: false });
    const second = await times(imported, ofImported);
    const set = await timed("set a field of all leads", () => setAll(imported, "first"));
    await database.sql("ANALYZE");
    const again = [...(await times(called, ofCalled)), ...(await times(imported, ofImported))];
    const setAgain = await timed("set it again, after ANALYZE", () => setAll(imported, "second"));
    const rows = [...first, ...second].map(({ name, ms }, i) => ({ name, ms, after: again[i]?.ms ?? 0 }));
    rows.push({ name: "set a field of all leads", ms: set, after: setAgain });
    say("| question | fresh, ms | after ANALYZE, ms | ratio |\n|---|---|---|---|");
    for (const { name, ms, after } of rows)
      say(`| ${name} | ${ms.toFixed(1)} | ${after.toFixed(1)} | ${(ms / after).toFixed(2)} |`);
    const sum = (of: "ms" | "after") => rows.reduce((all, each) => all + each[of], 0);
    const missed = rows.filter(({ ms, after }) => ms > GOAL * after + NOISE_MS).map(({ name }) => name);
    say(`load of the machine after: ${load()}`);
    say(
      `${rows.length} answers in ${sum("ms").toFixed(0)} ms, after ANALYZE in ${sum("after").toFixed(0)} ms: ratio ${(sum("ms") / sum("after")).toFixed(2)}`,
    );
    say(missed.length === 0 ? "none missed the goal" : `missed the goal: ${missed.join(", ")}`);
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

/** A project of its own, with a key. */
async function program({ sql }: BenchDatabase, service: ServiceProcess): Promise<Program> {
  const id = newId("prj");
  await sql("INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Fresh', right($1, 8))", [id]);
  const words = ["--project", id, "--name", "bench", "--permissions", MAY.join(",")];
  const { key } = await service.command("key", "create", ...words);
  return programOf(service.baseUrl, id, String(key));
}

/** Asks each question three times; returns the shortest time, since others use the machine, too. */
async function times(asks: Program, questions: readonly Question[]): Promise<{ name: string; ms: number }[]> {
  const all: { name: string; ms: number }[] = [];
  for (const question of questions) {
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 3; n += 1) {
      const { status, ms, text } = await ask(asks, question);
      if (status !== 200) say(`${question.name}: ${status} ${text}`);
      least = Math.min(least, ms);
    }
    all.push({ name: question.name, ms: least });
  }
  return all;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  say(`${name} in ${(ms / 1_000).toFixed(1)} s`);
  return ms;
}
