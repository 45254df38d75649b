import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { prepareUsual } from "../../../test/api/filters/support/usual-data.ts";
import { Draw, USUAL, type UsualQuery } from "../../../test/api/filters/support/usual-queries.ts";
import { randomFrom } from "../../../test/api/support/random-filter.ts";
import { startService } from "../../../test/processes/service-process.ts";
import { type BenchDatabase, benchDatabase } from "../support/database.ts";
import { prepareCrowd } from "./crowd-data.ts";
import { at, built, type Caller, callerOf, LEARNING, load, times } from "./usual-caller.ts";

/** How much longer a query may take at the median when the database has many other projects. */
const GROWTH = 2;
/** Two databases: the project alone, and a copy of it to which the other projects were added. */
const FOLDER = "data/bench-crowd";
const ALONE = join(FOLDER, "alone");
const CROWDED = join(FOLDER, "crowded");

const say = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
const print = (line: string) => void process.stdout.write(`${line}\n`);

interface Options {
  fresh: boolean;
  seed: number;
  rounds: number;
  only: string;
  /** How many leads the measured project has. */
  leads: number;
  /** How many projects the second database has, with 2,500 leads and 10,000 events each on average. */
  projects: number;
}

/**
 * Measures the usual queries of one project, in turn in a database that has nothing else and in one with many other
 * projects, with the same random values.
 */
export async function besideCrowd({ fresh, seed, rounds, only, leads, projects }: Options): Promise<void> {
  if (fresh) rmSync(FOLDER, { recursive: true, force: true });
  await prepareBoth(leads, projects);
  const agents = [ALONE, CROWDED].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  await using alone = await asked(ALONE, leads, agents[0]);
  await using crowded = await asked(CROWDED, leads, agents[1]);
  const both = [alone, crowded];
  const queries = USUAL.filter(({ name }) => name.includes(only));
  print(`seed ${seed}, ${rounds} draws of each query; load of the machine before: ${load()}`);
  for (const each of both) await learn(each, queries, seed);
  print("| query, p50 in ms | alone | among the others | grows |");
  print("|---|---|---|---|");
  const growths: { name: string; growth: number }[] = [];
  for (const query of queries) {
    const draws = both.map(() => drawOf(query, seed));
    const measured: number[][] = [[], []];
    for (let round = 0; round < rounds; round += 1)
      // Which of the two comes first alternates, since the first may pay for what both need.
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const [each, draw] = [both[i], draws[i]];
        if (each && draw) measured[i]?.push(...(await times(each.caller, query, draw, 1)));
      }
    const [before = Number.NaN, after = Number.NaN] = measured.map((each) => at(each, 0.5));
    growths.push({ name: query.name, growth: after / before });
    print(`| ${query.name} | ${before.toFixed(1)} | ${after.toFixed(1)} | ${(after / before).toFixed(2)} |`);
  }
  print(`load of the machine after: ${load()}`);
  const grown = growths.filter(({ growth }) => growth > GROWTH);
  const median = at(
    growths.map(({ growth }) => growth),
    0.5,
  );
  const which = grown.map(({ name, growth }) => `${name} (${growth.toFixed(1)})`).join("; ");
  print(
    `${queries.length} queries grow ${median.toFixed(2)} times at the median; ${grown.length} more than ${GROWTH} times${which && `: ${which}`}`,
  );
  for (const agent of agents) agent.destroy();
}

/** Makes the databases that are missing. The project has the indexes of fields of these queries in both. */
async function prepareBoth(leads: number, projects: number): Promise<void> {
  if (!existsSync(CROWDED)) {
    await prepareAlone(leads);
    const copy = `${CROWDED}.part`;
    rmSync(copy, { recursive: true, force: true });
    cpSync(ALONE, copy, { recursive: true });
    renameSync(copy, CROWDED);
  }
  await using database = await benchDatabase({ fresh: false, folder: CROWDED });
  await prepareCrowd(database, say, projects, leads);
}

async function prepareAlone(leads: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await using alone = await asked(ALONE, leads, agent);
  await learn(alone, USUAL, 1);
  agent.destroy();
}

interface Asked extends AsyncDisposable {
  database: BenchDatabase;
  caller: Caller;
}

/** Starts the service on the database of this folder. */
async function asked(folder: string, leads: number, agent: Agent | undefined): Promise<Asked> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await benchDatabase({ fresh: false, folder }));
  const [project] = await prepareUsual(database, say, [leads]);
  const service = stack.use(await startService(database.url));
  if (project === undefined) throw new Error("no project was made");
  const caller = await callerOf(service, project, agent ?? new Agent());
  const moved = stack.move();
  return { database, caller, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** Asks every query a few times, waits for the indexes of fields that the service then makes, and asks again. */
async function learn(
  { database, caller }: Asked,
  queries: readonly UsualQuery[],
  seed: number,
): Promise<void> {
  for (const query of queries) await times(caller, query, drawOf(query, seed + 1), LEARNING);
  await built(database, say);
  for (const query of queries) await times(caller, query, drawOf(query, seed + 2), LEARNING);
}

/** The same values for a query wherever it is asked. */
const drawOf = (query: UsualQuery, seed: number): Draw =>
  new Draw(randomFrom(seed + 1_000 * USUAL.indexOf(query)));
