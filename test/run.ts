// Runs the tests with node's own runner: those of test/units without a database, all others on one embedded
// PostgreSQL with a migrated template database.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { basename, dirname, join, normalize, sep } from "node:path";
import { run as runFiles } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { startEmbedded } from "../src/db/embedded/index.ts";
import { ANSWERS_LOG, reportOf } from "./answers/log.ts";
import { reasonOf, SUBSET } from "./citus/elsewhere.ts";
import { closePool, openPool } from "./citus/pool.ts";
import { hurry, prepareTemplate } from "./template.ts";

const SHARED_MEMORY = "/dev/shm";
/** One more than the processors, since tests often wait: for the database, a browser, or time. */
const AT_ONCE = Math.min(4, availableParallelism() + 1);
/** Checks every answer that a test process receives against the API's description. */
const CHECKED_ANSWERS = pathToFileURL("test/answers/preload.ts").href;
/** Without it, results of processes that are ended by force get lost. */
const ALL_RESULTS = pathToFileURL("test/blocking-output.ts").href;
const UNITS = join("test", "units") + sep;
let folder = "";
const onCluster = process.argv.includes("--citus");
const asked = process.argv.slice(2).filter((word) => word !== "--citus");
process.exitCode = (await good(asked)) ? 0 : 1;

/**
 * `npm test` checks and runs everything, and some of it again on a Citus cluster if LEADGATE_TEST_CITUS leads to one. `npm test --
 * units` runs what needs no database, paths run those files, and `--citus` runs all or these on the cluster.
 */
async function good(asked: readonly string[]): Promise<boolean> {
  if (onCluster) return await goodOnCluster(asked.length === 0 ? allTests() : asked);
  if (asked.length === 0) {
    const isGood = checked() && (await onServer(() => shared(allTests())));
    return isGood && (await goodOnCluster(globSync(SUBSET).sort()));
  }
  const files = asked.flatMap((path) =>
    path === "units" ? globSync("test/units/**/*.test.ts").sort() : path,
  );
  if (files.every((path) => normalize(path).startsWith(UNITS)))
    return (await run(files, "none")).length === 0;
  return await onServer(() => files);
}

const allTests = (): string[] => globSync("test/**/*.test.ts").sort();

/** Runs those of the files that a cluster can run, on the one that LEADGATE_TEST_CITUS leads to. */
async function goodOnCluster(files: readonly string[]): Promise<boolean> {
  const coordinator = process.env.LEADGATE_TEST_CITUS;
  if (coordinator === undefined) {
    console.log("﹣ the tests on a Citus cluster # SKIP LEADGATE_TEST_CITUS is not set");
    return true;
  }
  const { here = [], elsewhere = [] } = Object.groupBy(files, (file) =>
    reasonOf(file) === undefined ? "here" : "elsewhere",
  );
  for (const file of elsewhere) console.log(`﹣ ${file} # SKIP ${reasonOf(file)}`);
  return await onServer(() => (here.length > 5 ? shared(here) : here), coordinator);
}

function checked(): boolean {
  const { status } = spawnSync("npm", ["run", "-s", "check"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return status === 0;
}

/** Runs the files with an embedded PostgreSQL for them; `files` may write into its folder. */
async function onServer(files: () => readonly string[], coordinator?: string): Promise<boolean> {
  folder = mkdtempSync(join(roomInMemory() ? SHARED_MEMORY : tmpdir(), "leadgate-test-"));
  const server = await startEmbedded({ dataDir: folder });
  Object.assign(process.env, {
    LEADGATE_TEST_SERVER: server.url,
    NODE_COMPILE_CACHE: join(folder, "compiled"),
    LEADGATE_TEST_PORTS: join(folder, "ports"),
  });
  mkdirSync(join(folder, "ports"));
  try {
    await hurry(server.url, folder);
    await prepareTemplate(server.url);
    const pool = coordinator === undefined ? undefined : await openPool(coordinator, join(folder, "pool"));
    if (pool !== undefined) process.env.LEADGATE_TEST_CITUS_POOL = pool.folder;
    if (ANSWERS_LOG !== undefined) writeFileSync(ANSWERS_LOG, "");
    const failed = await run(files());
    const isGood = failed.every(({ died }) => died !== undefined) && (await again(failed));
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

/**
 * Returns groups of files of a folder that share a process, five each: starting one and loading the service
 * costs as much as several tests. The panel's files, which use much CPU, are spread evenly among those that
 * mostly wait.
 */
function shared(files: readonly string[]): string[] {
  const groups = Object.values(Object.groupBy(files, (file) => dirname(file))).flatMap((of = []) =>
    Array.from({ length: Math.ceil(of.length / 5) }, (_, i) => of.slice(i * 5, i * 5 + 5)),
  );
  const { panel = [], others = [] } = Object.groupBy(groups, ([file = ""]) =>
    file.startsWith(join("test", "panel")) ? "panel" : "others",
  );
  const placed = [panel, others].flatMap((side) =>
    side.map((group, i) => ({ group, place: (i + 0.5) / side.length })),
  );
  return placed
    .sort((a, b) => a.place - b.place)
    .map(({ group }) => {
      const name = group.map((file) => basename(file, ".test.ts")).join("+");
      const path = join(folder, `${name}.mjs`);
      writeFileSync(path, group.map((file) => `import "${pathToFileURL(file)}";\n`).join(""));
      return path;
    });
}

/** A test that failed, or a file whose process failed although none of its tests did. */
interface Failed {
  died?: string;
  how?: string;
}

interface ProcessFailure {
  exitCode?: number | null;
  signal?: string | null;
}

/** Runs the files, each in its own process or all in this one, and returns what failed. */
async function run(files: readonly string[], isolation: "process" | "none" = "process"): Promise<Failed[]> {
  const failed: Failed[] = [];
  const processes = {
    concurrency: AT_ONCE,
    execArgv: [
      "--test-force-exit",
      "--test-timeout=300000",
      `--import=${ALL_RESULTS}`,
      `--import=${CHECKED_ANSWERS}`,
    ],
  };
  const tests = runFiles({ files: [...files], isolation, ...(isolation === "process" ? processes : {}) });
  tests.on("test:fail", ({ name, details }) => {
    const { exitCode, signal } = details.error as ProcessFailure;
    failed.push(exitCode === undefined ? {} : { died: name, how: signal ?? `code ${exitCode}` });
  });
  const shown = tests.compose<NodeJS.ReadableStream>(new spec());
  shown.pipe(process.stdout, { end: false });
  await new Promise<void>((resolve) => shown.once("end", resolve));
  return failed;
}

/**
 * Retries processes that died although none of their tests failed, with output. A failed test stays failed.
 */
async function again(failed: readonly Failed[]): Promise<boolean> {
  if (failed.length === 0) return true;
  if (failed.length > 2) return false;
  for (const { died, how } of failed) {
    console.error(`${died}: no test failed, but its process ended with ${how}`);
  }
  return (await run(failed.flatMap(({ died }) => died ?? []))).length === 0;
}
