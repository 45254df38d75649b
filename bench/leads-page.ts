import process from "node:process";
import type { LeadsQuery } from "../src/contract/nouns/query.ts";
import { BENCH_PROJECTS, prepareLeads } from "./leads/leads-data.ts";
import { statementsOf } from "./leads/page-statement.ts";
import { benchDatabase, findPgbench } from "./support/database.ts";
import { type Measured, measureLoad, median } from "./support/load.ts";
import { pgbench } from "./support/pgbench.ts";
import { startService } from "./support/service-process.ts";

const CONNECTIONS = 16;
const QUERY: LeadsQuery = {
  limit: 50,
  total: "none",
  filter: {
    and: [
      { field: "status", op: "eq", value: "contacted" },
      { field: "source", op: "eq", value: "referral" },
    ],
  },
};

const say = (line: string) => void process.stdout.write(`${line}\n`);
const whole = (n: number) => Math.round(n).toLocaleString("en");
const ms = (n: number) => `${n.toFixed(1)} ms`;

/**
 * Measures the newest 50 leads of a status and a source among a million, in turn: the service over HTTP, and
 * pgbench with the statement that builds the page and with the one for a known page. Also compares a project
 * of 500,000 leads with one of 10,000.
 */
export async function leadsPage(options: { fresh: boolean; seconds: number; rounds: number }): Promise<void> {
  await using database = await benchDatabase(options);
  await prepareLeads(database, say);
  const [large, small] = BENCH_PROJECTS;
  if (large === undefined || small === undefined) throw new Error("the benchmark has no projects");
  const sent = await statementsOf(database.url, large.id, QUERY);
  const [made] = sent.slice(-1);
  const [known] = (await statementsOf(database.url, large.id, QUERY, true)).slice(-1);
  if (made === undefined || known === undefined) throw new Error("the service sent no statement");

  await using service = await startService(database.url);
  const pages = async (projectId: string) => {
    const words = ["--project", projectId, "--name", "bench", "--permissions", "leads:read"];
    const { key } = await service.command("key", "create", ...words);
    const load = {
      url: `${service.baseUrl}/api/leads/query/`,
      key: String(key),
      bodies: [JSON.stringify({ project_id: projectId, ...QUERY })],
      connections: CONNECTIONS,
    };
    await measureLoad({ ...load, seconds: 2 });
    return (seconds: number) => measureLoad({ ...load, seconds });
  };
  const ofLarge = await pages(large.id);
  const ofSmall = await pages(small.id);
  const program = findPgbench();
  const shared = { databaseUrl: database.url, projectId: large.id, connections: CONNECTIONS };
  // pgbench cannot pass an empty value; a mark that no page has is equivalent.
  const unknown = { ...made, values: made.values.map((value) => (value === "" ? "unknown" : value)) };
  const floors =
    program === undefined
      ? undefined
      : {
          made: pgbench({ ...shared, program, statement: unknown }),
          known: pgbench({ ...shared, program, statement: known }),
        };
  if (floors === undefined)
    say("pgbench is absent (Debian: postgresql-contrib); the service is measured alone");

  const rounds: Round[] = [];
  for (let i = 1; i <= options.rounds; i += 1) {
    const round = {
      large: await ofLarge(options.seconds),
      made: floors === undefined ? Number.NaN : await floors.made(options.seconds),
      known: floors === undefined ? Number.NaN : await floors.known(options.seconds),
      small: await ofSmall(options.seconds),
    };
    rounds.push(round);
    say(
      `round ${i}: service ${whole(round.large.perSecond)} req/s, pgbench ${whole(round.made)} and ${whole(round.known)} tps`,
    );
  }
  report(rounds, sent.length);
}

interface Round {
  large: Measured;
  small: Measured;
  /**
   * Transactions per second of pgbench, with the statement that builds the page's JSON and with the one for a
   * known page.
   */
  made: number;
  known: number;
}

function report(rounds: readonly Round[], trips: number): void {
  const of = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read));
  const [rate, made, known] = [
    of((round) => round.large.perSecond),
    of((round) => round.made),
    of((round) => round.known),
  ];
  const [large, small] = [of((round) => round.large.p50), of((round) => round.small.p50)];
  say(`service: ${whole(rate)} req/s, p50 ${ms(large)}, p99 ${ms(of((round) => round.large.p99))}`);
  if (!Number.isNaN(made)) {
    say(
      `pgbench: ${whole(made)} tps where the page is made; the service reaches ${(rate / made).toFixed(2)} of it`,
    );
    say(`pgbench: ${whole(known)} tps where it is known; ${(rate / known).toFixed(2)} of it`);
  }
  say(`round trips to the database of a request: ${trips}`);
  say(`p50 in 500,000 leads ${ms(large)}, in 10,000 leads ${ms(small)}: ratio ${(large / small).toFixed(2)}`);
  const failed = rounds.reduce((sum, round) => sum + round.large.failed + round.small.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests were not answered with 200`);
}
