// Changes one expression of the service or the panel at a time and runs the tests that execute it: `npm run mutate -- --sample
// 200 --seed 7`. With `--list`, applies the mutants of list.json instead and runs the tests that are expected to notice.
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { startTestServer } from "../template.ts";
import { type ListedMutant, listedMutants, placed } from "./list.ts";
import { applied, type Mutant, mutantsOf } from "./mutants.ts";
import { type Ran, ranBy, relatedTests, type Sources } from "./reach.ts";
import { type Workbench, workbench } from "./workbench.ts";

const REACH = "node_modules/.cache/leadgate/reach.json";
const EQUIVALENT = "test/mutate/equivalent.json";
/** A mutant is run by so many related tests at most, and by more only while this time has not passed. */
const MOST_TESTS = 12;
const ENOUGH_MS = 90_000;
/** How long a test file may take of which nothing is known. */
const PATIENCE_MS = 300_000;
const SOURCES = "{src/**/*.ts,web/src/**/*.{ts,tsx}}";
const { values: options } = parseArgs({
  options: {
    sample: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    /** Goes on behind so many mutants of the sample. */
    from: { type: "string", default: "0" },
    files: { type: "string", default: SOURCES },
    tests: { type: "string", default: "test/**/*.test.ts" },
    again: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    /** `first`: only tests of `npm test` count. */
    tier: { type: "string", default: "both" },
    /** A file for the verdicts of the list. */
    out: { type: "string" },
    workers: { type: "string", default: String(availableParallelism()) },
  },
});

/** A mutant that changes nothing that anybody could see, and why; `line` is its whole line, trimmed. */
interface Equivalent {
  file: string;
  line: string;
  from: string;
  to: string;
  why: string;
}

interface Verdict {
  mutant: Mutant;
  fate: "caught" | "equivalent" | "survived";
  /** The test that caught it, or what let it live. */
  by: string;
  /** The test file that caught it. */
  test?: string;
}

/** A test file to try, and how long it may take. */
interface Trial {
  test: string;
  limitMs: number;
}

const sources: Sources = new Map(
  globSync(SOURCES)
    .sort()
    .map((file) => [file, readFileSync(file, "utf8")]),
);
const equivalents = JSON.parse(readFileSync(EQUIVALENT, "utf8")) as Equivalent[];
process.exitCode = await withServer(options.list ? tryList : trySample);

async function trySample(): Promise<number> {
  const ran = await reachOfTests();
  const wanted = new Set(globSync(options.files));
  const all = [...sources].flatMap(([file, text]) => (wanted.has(file) ? mutantsOf(file, text) : []));
  const from = Number(options.from);
  const mutants = sample(all, Number(options.sample), Number(options.seed)).slice(from);
  console.log(`${mutants.length} of ${all.length} mutants, seed ${options.seed}`);
  const verdicts: Verdict[] = [];
  await eachWorker(mutants, async (bench, mutant) => {
    const verdict = await judge(bench, mutant, ran);
    verdicts.push(verdict);
    console.log(`${from + verdicts.length} ${told(verdict)}`);
  });
  const count = (fate: Verdict["fate"]) => verdicts.filter((each) => each.fate === fate).length;
  const good = count("caught") + count("equivalent");
  console.log(
    `\n${verdicts
      .filter(({ fate }) => fate === "survived")
      .map(told)
      .sort()
      .join("\n")}\n`,
  );
  console.log(
    `${count("caught")} caught, ${count("equivalent")} equivalent, ${count("survived")} survived: ` +
      `${((100 * good) / verdicts.length).toFixed(1)} % are caught or equivalent`,
  );
  return good / verdicts.length >= 0.85 ? 0 : 1;
}

async function judge(bench: Workbench, mutant: Mutant, ran: readonly Ran[]): Promise<Verdict> {
  const known = equivalents.find((each) => isSame(each, mutant));
  if (known !== undefined) return { mutant, fate: "equivalent", by: known.why };
  const related = relatedTests(mutant, ran, sources);
  return await tried(bench, mutant, related.slice(0, MOST_TESTS).map(trialOf), {
    related: related.length,
  });
}

/** The tests that a mutant is tried on: those of `npm test`, or those of `npm run test:all` too. */
type Tier = "first" | "both";

function trialOf({ test, ms }: Ran): Trial {
  return { test, limitMs: 30_000 + 4 * ms };
}

/** Runs tests on a mutant until one notices it, or until enough time has passed. */
async function tried(
  bench: Workbench,
  mutant: Mutant,
  trials: readonly Trial[],
  { related = trials.length, enoughMs = ENOUGH_MS, tier = "both" as Tier } = {},
): Promise<Verdict> {
  const text = sources.get(mutant.file) ?? "";
  let spent = 0;
  let count = 0;
  bench.write(mutant.file, applied(text, mutant));
  try {
    for (const { test, limitMs } of trials) {
      const { outcome, ms, failed } = await bench.run(
        test,
        limitMs,
        tier === "first" ? { LEADGATE_TEST_TIER: "first" } : {},
      );
      const by = outcome === "hung" ? `${test} (hung)` : failed === undefined ? test : `${test}: ${failed}`;
      if (outcome !== "passed") return { mutant, fate: "caught", by, test };
      count += 1;
      spent += ms;
      if (spent > enoughMs) break;
    }
  } finally {
    bench.write(mutant.file, text);
  }
  return { mutant, fate: "survived", by: `${count} of ${related} related tests` };
}

/**
 * Tries the mutants of the list on the tests that they name, and then on those that execute them if that is known: first
 * by the tests of the first tier, then by all. Fails if one is not noticed, or fewer than 95 % by the first tier alone.
 */
async function tryList(): Promise<number> {
  const wanted = new Set(globSync(options.files));
  const list = listedMutants().filter(({ file }) => wanted.has(file));
  const mutants = new Map(list.map((each) => [each, placed(each, sources.get(each.file))]));
  const ran = reachKnown() ?? [];
  const verdicts: (Verdict & { listed: ListedMutant; seconds: number; tier: Tier })[] = [];
  await eachWorker([...mutants], async (bench, [listed, mutant]) => {
    const began = performance.now();
    const named = listed.tests.map((test): Trial => ({ test, limitMs: PATIENCE_MS }));
    const more = relatedTests(mutant, ran, sources)
      .filter(({ test }) => !listed.tests.includes(test))
      .slice(0, MOST_TESTS)
      .map(trialOf);
    let tier: Tier = "first";
    const trials = [...named, ...more];
    let verdict = await tried(bench, mutant, trials, { enoughMs: Number.POSITIVE_INFINITY, tier });
    if (verdict.fate === "survived" && options.tier !== "first") {
      tier = "both";
      verdict = await tried(bench, mutant, trials, { enoughMs: Number.POSITIVE_INFINITY, tier });
    }
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    verdicts.push({ ...verdict, listed, seconds, tier });
    console.log(`${verdicts.length} ${verdict.fate} ${listed.about} [${verdict.by}, ${seconds} s]`);
  });
  const caught = verdicts.filter(({ fate }) => fate === "caught");
  const first = caught.filter(({ tier }) => tier === "first");
  for (const { listed } of verdicts.filter(({ fate }) => fate === "survived"))
    console.log(`\nsurvived: ${listed.about}\n  ${listed.file}\n  - ${listed.line}\n  + ${listed.change}`);
  console.log(`\n${caught.length} of ${list.length} are caught, ${first.length} of them by the first tier`);
  if (options.out !== undefined) {
    const told = verdicts.map(({ listed, fate, by, seconds, tier }) => ({
      ...listed,
      fate,
      by,
      seconds,
      tier,
    }));
    writeFileSync(options.out, `${JSON.stringify(told, null, 2)}\n`);
  }
  return caught.length === list.length && first.length >= 0.95 * caught.length ? 0 : 1;
}

function lineOf({ file, start }: Mutant): string {
  const text = sources.get(file) ?? "";
  return text.slice(text.lastIndexOf("\n", start) + 1, `${text}\n`.indexOf("\n", start)).trim();
}

function isSame({ file, line, from, to }: Equivalent, mutant: Mutant): boolean {
  return isDeepStrictEqual([file, line, from, to], [mutant.file, lineOf(mutant), mutant.from, mutant.to]);
}

function told({ mutant, fate, by }: Verdict): string {
  const row = (sources.get(mutant.file) ?? "").slice(0, mutant.start).split("\n").length;
  const short = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
  return `${fate} ${mutant.file}:${row} ${short(mutant.from)} -> ${short(mutant.to)} [${by}] ${lineOf(mutant).slice(0, 120)}`;
}

interface Kept {
  tests: string;
  sources: [file: string, text: string][];
  ran: Ran[];
}

/** What each test file executes; kept for the next run, since it takes as long as all tests. `--again` asks anew. */
async function reachOfTests(): Promise<Ran[]> {
  const known = options.again ? undefined : reachKnown();
  if (known !== undefined) return known;
  const files = globSync(options.tests).sort();
  const ran: Ran[] = [];
  await eachWorker(files, async (bench, test) => {
    const one = await ranBy(bench, test);
    if (one === undefined) console.log(`${test} fails without any mutant, so it catches none`);
    else ran.push(one);
  });
  mkdirSync(dirname(REACH), { recursive: true });
  const kept: Kept = { tests: options.tests, sources: [...sources], ran };
  writeFileSync(REACH, JSON.stringify(kept));
  return ran;
}

/** Returns what an earlier run found out; undefined if there was none, or if the sources have changed since. */
function reachKnown(): Ran[] | undefined {
  if (!existsSync(REACH)) return undefined;
  const kept = JSON.parse(readFileSync(REACH, "utf8")) as Kept;
  if (isDeepStrictEqual([kept.tests, kept.sources], [options.tests, [...sources]])) return kept.ran;
  console.log("The sources have changed since it was found out which tests execute what.");
  return undefined;
}

/** Gives the items to workers with a copy of the project each. */
async function eachWorker<T>(
  items: readonly T[],
  work: (bench: Workbench, item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: Number(options.workers) }, async () => {
      using bench = workbench();
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(bench, item);
    }),
  );
}

/** The same mutants for the same seed and sources (mulberry32). */
function sample(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const left = [...all];
  const taken: Mutant[] = [];
  while (taken.length < count && left.length > 0) {
    taken.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return taken;
}

/** Starts the server on which all tests make their databases, from the unchanged sources. */
async function withServer(work: () => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : "/tmp", "leadgate-mutants-"));
  const server = await startTestServer(folder);
  Object.assign(process.env, {
    LEADGATE_TEST_SERVER: server.url,
    LEADGATE_TEST_PORTS: join(folder, "ports"),
    LEADGATE_TEST_PANELS: join(folder, "panels"),
  });
  mkdirSync(join(folder, "ports"));
  try {
    return await work();
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
