import process from "node:process";
import type { LeadsQuery } from "../../src/contract/leads/query.ts";
import { randomFrom } from "../../test/api/support/random-filter.ts";
import { startService } from "../../test/processes/service-process.ts";
import { BENCH_PROJECTS, prepareLeads } from "./leads/leads-data.ts";
import { pacedWrites } from "./leads/paced-writes.ts";
import { type Sent, statementsOf } from "./leads/page-statement.ts";
import { variedPages } from "./leads/varied-pages.ts";
import { type BenchDatabase, benchDatabase, findPgbench } from "./support/database.ts";
import { type Load, type Measured, measureLoad, median } from "./support/load.ts";
import { pgbenchMix } from "./support/pgbench.ts";
import { cpuSeconds } from "./support/processor.ts";

const CONNECTIONS = 16;
/** So many pages are asked for in turn by the varied load; pgbench repeats the first ones, each prepared. */
const VARIED = 4_000;
const FLOOR = 48;
/** Leads changed a second while others are read. */
const CHANGED = 200;
/** Until every connection has prepared what it is asked for, in seconds. */
const WARM_UP = 8;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const whole = (n: number) => Math.round(n).toLocaleString("en");
const ms = (n: number) => `${n.toFixed(2)} ms`;

interface Options {
  fresh: boolean;
  seconds: number;
  rounds: number;
  seed: number;
}

/** What one side of a comparison did in a round. */
interface Round extends Measured {
  /** Processor time of the service and of PostgreSQL for each request, in milliseconds. */
  cpu: number;
  database: number;
}

type Run = (seconds: number) => Promise<Round>;

/**
 * Measures pages of 50 leads among a million, in turn: the service over HTTP, and pgbench with the statements that the
 * service sends, prepared. The pages of the varied load are drawn at random and seldom asked for twice. The same is measured
 * while leads of the project are changed.
 */
export async function leadsPage(options: Options): Promise<void> {
  await using database = await benchDatabase(options);
  await prepareLeads(database, say);
  const [large, small] = BENCH_PROJECTS;
  if (large === undefined || small === undefined) throw new Error("the benchmark has no projects");
  const drawn = variedPages(randomFrom(options.seed), VARIED, large.leads);
  const none = drawn.map((query): LeadsQuery => ({ ...query, total: "none" }));
  const floorOf = (queries: readonly LeadsQuery[], calls = 1) =>
    statementsOf(database.url, large.id, queries, calls);
  const [made, known] = [await floorOf(none.slice(0, FLOOR)), await floorOf(none.slice(0, 1), 3)];

  await using service = await startService(database.url);
  const used = () => ({
    cpu: cpuSeconds(service.pid),
    database: database.pid === undefined ? Number.NaN : cpuSeconds(database.pid, true),
  });
  const newKey = async (projectId: string, permissions: string) => {
    const words = ["--project", projectId, "--name", "bench", "--permissions", permissions];
    return String((await service.command("key", "create", ...words)).key);
  };
  const pages = async (projectId: string) => {
    const key = await newKey(projectId, "leads:read");
    return (queries: readonly LeadsQuery[]) => {
      const load: Omit<Load, "seconds"> = {
        url: `${service.baseUrl}/api/leads/query/`,
        key,
        bodies: queries.map((query) => JSON.stringify({ project_id: projectId, ...query })),
        connections: CONNECTIONS,
      };
      let first = true;
      return async (seconds: number): Promise<Round> => {
        if (first) await measureLoad({ ...load, seconds: WARM_UP });
        first = false;
        const before = used();
        const measured = await measureLoad({ ...load, seconds });
        return { ...measured, ...spent(before, used(), measured.perSecond * seconds) };
      };
    };
  };
  const [ofLarge, ofSmall] = [await pages(large.id), await pages(small.id)];
  const program = findPgbench();
  if (program === undefined) throw new Error("pgbench is absent (Debian: postgresql-contrib)");
  const floor = (statements: readonly Sent[]) => {
    const run = pgbenchMix({
      program,
      databaseUrl: database.url,
      projectId: large.id,
      connections: CONNECTIONS,
      statements,
    });
    return async (seconds: number): Promise<Round> => ({ ...NOTHING, perSecond: await run(seconds) });
  };
  const port = Number(new URL(service.baseUrl).port);
  const writes = {
    port,
    key: await newKey(large.id, "leads:write"),
    ids: await someLeads(database, large.id),
  };
  /** The same load while leads are changed. */
  const meanwhile = (run: Run): Run => {
    const random = randomFrom(options.seed);
    return async (seconds) => {
      const paced = pacedWrites({ ...writes, perSecond: CHANGED, random });
      const measured = await run(seconds);
      const { perSecond, failed } = await paced.stop();
      // As autovacuum does later: until then, totals have to look at the leads of changed pages.
      await database.sql("VACUUM store.lead");
      if (perSecond < CHANGED * 0.95) say(`only ${whole(perSecond)} leads a second were changed`);
      return { ...measured, failed: measured.failed + failed };
    };
  };
  const sides: Record<string, Run> = {
    varied: ofLarge(none),
    "varied, while leads are changed": meanwhile(ofLarge(none)),
    "pgbench, varied": floor(made),
    "with bounded totals": ofLarge(drawn),
    "one page": ofLarge(none.slice(0, 1)),
    "pgbench, one page made": floor(made.slice(0, 1)),
    "pgbench, one page known": floor(known),
    "varied, 10,000 leads": ofSmall(
      variedPages(randomFrom(options.seed), VARIED, small.leads).map((query) => ({
        ...query,
        total: "none",
      })),
    ),
  };
  say(`seed ${options.seed}, ${options.rounds} rounds of ${options.seconds} s, ${CONNECTIONS} connections`);
  const rounds: Record<string, Round[]> = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let i = 0; i < options.rounds; i += 1)
    for (const [name, run] of Object.entries(sides)) rounds[name]?.push(await run(options.seconds));
  report(rounds);
}

const someLeads = async ({ sql }: BenchDatabase, projectId: string): Promise<string[]> =>
  (
    await sql<{ id: string }>(
      "SELECT id FROM store.lead WHERE project_id = $1 ORDER BY md5(id) LIMIT 50000",
      [projectId],
    )
  ).map(({ id }) => id);

type Used = Pick<Round, "cpu" | "database">;

/** What was used for each request between two moments. */
const spent = (before: Used, after: Used, requests: number): Used => ({
  cpu: ((after.cpu - before.cpu) * 1_000) / requests,
  database: ((after.database - before.database) * 1_000) / requests,
});

const NOTHING = { p50: Number.NaN, p99: Number.NaN, cpu: Number.NaN, database: Number.NaN, failed: 0 };

function report(rounds: Readonly<Record<string, Round[]>>): void {
  const of = (name: string, read: (round: Round) => number) => median((rounds[name] ?? []).map(read));
  for (const name of Object.keys(rounds)) {
    const times = `p50 ${ms(of(name, (r) => r.p50))}, p99 ${ms(of(name, (r) => r.p99))}`;
    const [own, database] = [of(name, (r) => r.cpu), of(name, (r) => r.database)].map(ms);
    const spent = Number.isNaN(of(name, (r) => r.cpu))
      ? undefined
      : `${times}, processor time of the service ${own}, of PostgreSQL ${database}`;
    say([`${name}: ${whole(of(name, (r) => r.perSecond))}/s`, spent].filter(Boolean).join(", "));
  }
  /** The median of the ratios of each round. */
  const ratio = (one: string, other: string) =>
    median(
      (rounds[one] ?? []).map(
        ({ perSecond }, i) => perSecond / (rounds[other]?.[i]?.perSecond ?? Number.NaN),
      ),
    ).toFixed(2);
  say(`varied: ${ratio("varied", "pgbench, varied")} of pgbench`);
  say(
    `one page: ${ratio("one page", "pgbench, one page made")} of pgbench where it is made, ${ratio("one page", "pgbench, one page known")} where it is known`,
  );
  say(`bounded totals: ${ratio("with bounded totals", "varied")} of the rate without totals`);
  const growth = of("varied", (r) => r.p50) / of("varied, 10,000 leads", (r) => r.p50);
  say(`p50 among 500,000 leads: ${growth.toFixed(2)} of that among 10,000`);
  const slowed = of("varied, while leads are changed", (r) => r.p50) / of("varied", (r) => r.p50);
  say(`p50 while ${CHANGED} leads a second are changed: ${slowed.toFixed(2)} of the quiet one`);
  const failed = Object.values(rounds)
    .flat()
    .reduce((sum, round) => sum + round.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests were not answered with 200`);
}
