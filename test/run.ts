// Runs the tests with node's own runner, on one embedded PostgreSQL with a migrated template database, in a few
// processes that take one file after the other.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join, normalize, sep } from "node:path";
import { PassThrough } from "node:stream";
import { run as runFiles } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { ANSWERS_LOG, reportOf } from "./answers/log.ts";
import { reasonOf, SUBSET } from "./citus/elsewhere.ts";
import { closePool, openPool } from "./citus/pool.ts";
import { isWholeFile } from "./large.ts";
import { type Event, Report } from "./report.ts";
import { startTestServer } from "./template.ts";

const SHARED_MEMORY = "/dev/shm";
/** Two more than the processors, since tests often wait: for the database, a browser, or time. */
const AT_ONCE = Math.min(4, availableParallelism() + 2);
/** So many files with a failed test are run again alone; more is no accident. */
const MOST_AGAIN = 3;
/** Checks every answer that a test process receives against the API's description. */
const CHECKED_ANSWERS = pathToFileURL("test/answers/preload.ts").href;
/** Without it, results of processes that are ended by force get lost. */
const ALL_RESULTS = pathToFileURL("test/blocking-output.ts").href;
const WORKER = pathToFileURL("test/worker.ts").href;
const UNITS = join("test", "units") + sep;

const flags = new Set(process.argv.slice(2).filter((word) => word.startsWith("--")));
const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"));
/** From this moment on, the second tier begins no more files: for a machine that is stopped after a while. */
const noMoreFrom =
  flags.has("--large") && process.env.LEADGATE_TEST_UNTIL
    ? Number(process.env.LEADGATE_TEST_UNTIL) * 1_000
    : null;
const start = Date.now();
let folder = "";
let rounds = 0;

/**
 * `npm test` checks and runs the first tier; with `--large` (`npm run test:all`) the second one, and some tests again on a
 * Citus cluster if LEADGATE_TEST_CITUS leads to one. `npm test -- units` runs what needs no database, paths run those
 * files, `--citus` runs all or these on the cluster, and `--reverse` runs the tests of each file from the last to the first.
 */
async function isGood(): Promise<boolean> {
  const files = asked.flatMap((path) =>
    path === "units" ? globSync("test/units/**/*.test.ts").sort() : normalize(path),
  );
  if (flags.has("--citus")) return await onCluster(files.length === 0 ? filesOf("first") : files);
  if (files.length > 0)
    return files.every((path) => path.startsWith(UNITS)) ? await withoutServer(files) : await onServer(files);
  const isLarge = flags.has("--large");
  if (!isChecked(isLarge ? "check:lab" : "check")) return false;
  if (!isLarge) return await onServer(filesOf("first"));
  const ofCluster = new Set(process.env.LEADGATE_TEST_CITUS === undefined ? [] : globSync(SUBSET));
  return (
    (await onServer(filesOf("second").filter((file) => !ofCluster.has(file)))) &&
    (await onCluster(globSync(SUBSET).sort()))
  );
}

/** Returns the files with tests of a tier, which is then that of the run. */
function filesOf(tier: "first" | "second"): string[] {
  process.env.LEADGATE_TEST_TIER = tier;
  const isOf = (text: string) =>
    tier === "first" ? /^ *test\(/m.test(text) : /^ *large\(/m.test(text) || isWholeFile(text);
  return globSync("test/**/*.test.ts")
    .filter((path) => isOf(readFileSync(path, "utf8")))
    .sort();
}

/** Runs those of the files that a cluster can run, on the one that LEADGATE_TEST_CITUS leads to. */
async function onCluster(files: readonly string[]): Promise<boolean> {
  const coordinator = process.env.LEADGATE_TEST_CITUS;
  if (coordinator === undefined) {
    console.log("﹣ the tests on a Citus cluster # SKIP LEADGATE_TEST_CITUS is not set");
    return true;
  }
  const { here = [], elsewhere = [] } = Object.groupBy(files, (file) =>
    reasonOf(file) === undefined ? "here" : "elsewhere",
  );
  for (const file of elsewhere) console.log(`﹣ ${file} # SKIP ${reasonOf(file)}`);
  return await onServer(here, coordinator);
}

function isChecked(script: string): boolean {
  const { status } = spawnSync("npm", ["run", "-s", script], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return status === 0;
}

async function withoutServer(files: readonly string[]): Promise<boolean> {
  folder = mkdtempSync(join(tmpdir(), "leadgate-test-"));
  try {
    return await passes(files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the files with an embedded PostgreSQL for them. */
async function onServer(files: readonly string[], coordinator?: string): Promise<boolean> {
  folder = mkdtempSync(join(roomInMemory() ? SHARED_MEMORY : tmpdir(), "leadgate-test-"));
  const server = await startTestServer(folder);
  Object.assign(process.env, {
    LEADGATE_TEST_SERVER: server.url,
    NODE_COMPILE_CACHE: join(folder, "compiled"),
    LEADGATE_TEST_PORTS: join(folder, "ports"),
  });
  mkdirSync(join(folder, "ports"));
  try {
    const pool = coordinator === undefined ? undefined : await openPool(coordinator, join(folder, "pool"));
    if (pool !== undefined) process.env.LEADGATE_TEST_CITUS_POOL = pool.folder;
    if (ANSWERS_LOG !== undefined) writeFileSync(ANSWERS_LOG, "");
    const isGood = await passes(files);
    if (ANSWERS_LOG !== undefined) await tellAnswers(ANSWERS_LOG);
    if (pool !== undefined) await closePool(pool);
    return isGood;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tellAnswers(log: string): Promise<void> {
  const { documented } = await import("./answers/documents.ts");
  console.log(reportOf(log, documented().all()));
}

/**
 * Whether the tests' databases fit into memory. On a disk each copy of the template creates five hundred files
 * where as many were just deleted. ext4 avoids freshly deleted inodes and takes six times longer, which was a
 * third of the time of all tests.
 */
function roomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return Math.min(bavail * bsize, freemem()) > 6 * 2 ** 30;
  } catch {
    return false;
  }
}

/** Spreads the panel's files, which use much of the processor, evenly among those that mostly wait. */
function spread(files: readonly string[]): string[] {
  const isPanel = (file: string) => file.startsWith(join("test", "panel"));
  const sides = [files.filter(isPanel), files.filter((file) => !isPanel(file))];
  return sides
    .flatMap((side) => side.map((file, i) => ({ file, place: (i + 0.5) / side.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file);
}

/**
 * Runs the files and says how they ended. The file of a process that died is run again, with a word about it; so is, alone,
 * a file of the second tier with a test that failed beside others (decision 40).
 */
async function passes(files: readonly string[]): Promise<boolean> {
  const report = new Report(files);
  // Where there may not be time for all, each run begins with another one.
  const [order, first] = [spread(files), noMoreFrom === null ? 0 : start % files.length];
  const turned = [...order.slice(first), ...order.slice(0, first)];
  const own = await round(turned, report, noMoreFrom);
  const isLate = noMoreFrom !== null && Date.now() > noMoreFrom;
  const late = turned.filter((_, i) => isLate && !existsSync(join(own, `taken-${i}`)));
  const lost = files.filter((file) => !report.ended.has(file) && !late.includes(file));
  if (lost.length > 0) {
    console.error(`A process ended (${report.died.join(", ")}) before all tests had: ${lost.join(", ")}`);
    if (lost.length <= AT_ONCE) await round(lost, report, null);
  }
  console.log(report.lines(Date.now() - start).join("\n"));
  if (late.length > 0) console.log(`\nNot begun before LEADGATE_TEST_UNTIL: ${late.join(", ")}`);
  const isEnded = files.every((file) => report.ended.has(file) || late.includes(file));
  return isEnded && (report.failed === 0 || (await passesAlone([...report.failedFiles])));
}

/** Whether a few files of the second tier with failed tests pass one after the other, with nothing beside them. */
async function passesAlone(files: readonly string[]): Promise<boolean> {
  if (process.env.LEADGATE_TEST_TIER !== "second" || files.length === 0 || files.length > MOST_AGAIN)
    return false;
  console.log(`\nAlone again: ${files.join(", ")}`);
  const report = new Report(files);
  await round(files, report, null, 1);
  const isGood = report.failed === 0 && files.every((file) => report.ended.has(file));
  if (isGood) console.log(`\nFAILED BESIDE OTHERS, PASSED ALONE, to be explained: ${files.join(", ")}`);
  return isGood;
}

/**
 * Has the files run by processes that take one after the other, and shows what they report. Returns the folder in which
 * each that was begun left a mark.
 */
async function round(
  files: readonly string[],
  report: Report,
  until: number | null,
  processes = AT_ONCE,
): Promise<string> {
  rounds += 1;
  const own = join(folder, `round-${rounds}`);
  mkdirSync(own);
  writeFileSync(join(own, "files.json"), JSON.stringify({ files, reverse: flags.has("--reverse"), until }));
  const shown = new PassThrough({ objectMode: true });
  const text = shown.compose<NodeJS.ReadableStream>(new spec());
  text.pipe(process.stdout, { end: false });
  const isShown = new Promise<void>((resolve) => text.once("end", resolve));
  await Promise.all(
    Array.from({ length: Math.min(processes, files.length) }, async (_, i) => {
      const worker = join(own, `worker-${i + 1}.mjs`);
      writeFileSync(worker, `import "${WORKER}";\n`);
      // Whole tests are shown at once: those of the processes must not mix.
      let kept: Event[] = [];
      for await (const event of runWorker(worker, own)) {
        const seen = report.seen(event);
        if (seen !== undefined) kept.push(seen);
        if (!isEndOfTest(seen)) continue;
        for (const each of kept) shown.write(each);
        kept = [];
      }
    }),
  );
  shown.end();
  await isShown;
  report.read(join(own, "spent.jsonl"));
  return own;
}

const isEndOfTest = (event: Event | undefined): boolean =>
  (event?.type === "test:pass" || event?.type === "test:fail") && event.data.nesting === 0;

function runWorker(worker: string, own: string): AsyncIterable<Event> {
  return runFiles({
    files: [worker],
    argv: [own],
    execArgv: [
      `--test-timeout=${process.env.LEADGATE_TEST_TIER === "second" ? 900_000 : 300_000}`,
      "--max-old-space-size=3072",
      "--max-semi-space-size=64",
      `--import=${ALL_RESULTS}`,
      `--import=${CHECKED_ANSWERS}`,
    ],
  }) as AsyncIterable<Event>;
}

process.exitCode = (await isGood()) ? 0 : 1;
