import { Agent } from "node:http";
import process from "node:process";
import { prepareUsual } from "../../test/api/filters/support/usual-data.ts";
import { Draw, USUAL } from "../../test/api/filters/support/usual-queries.ts";
import { randomFrom } from "../../test/api/support/random-filter.ts";
import { startService } from "../../test/processes/service-process.ts";
import { benchDatabase } from "./support/database.ts";
import { besideCrowd } from "./usual/crowd.ts";
import { at, built, callerOf, LEARNING, load, times } from "./usual/usual-caller.ts";

/** What a page and a figure may take in the largest project at the median, and any query at its slowest, in milliseconds. */
const GOALS = { page: 100, figure: 1_000, slowest: 3_000 };
/** How much longer pages may take in the largest project than in the smallest. */
const GROWTH = 1.5;
/** Below this, growth is noise. */
const NOISE_MS = 5;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Options {
  fresh: boolean;
  seed: number;
  rounds: number;
  sizes: readonly number[];
  only: string;
  /** How many projects the database has of which the largest size is measured; 0 compares the sizes. */
  crowd: number;
}

/**
 * Measures the usual queries over HTTP, on one connection, in turn in projects of these sizes, with random values. Before
 * that, every query is asked a few times, and what the service then builds is waited for.
 */
export async function queries({ seed, rounds, sizes, only, fresh, crowd }: Options): Promise<void> {
  if (crowd > 0)
    return await besideCrowd({ seed, rounds, only, fresh, leads: Math.max(...sizes), projects: crowd });
  await using database = await benchDatabase({ fresh, folder: "data/bench-usual" });
  const projects = await prepareUsual(
    database,
    say,
    sizes.toSorted((a, b) => a - b),
  );
  await using service = await startService(database.url);
  const callers = await Promise.all(projects.map((project) => callerOf(service, project, agent)));
  const asked = USUAL.filter(({ name }) => name.includes(only));
  say(`seed ${seed}, ${rounds} draws of each query and size; load of the machine before: ${load()}`);
  const draw = new Draw(randomFrom(seed));
  for (const caller of callers) for (const query of asked) await times(caller, query, draw, LEARNING);
  await built(database, say);
  for (const caller of callers) for (const query of asked) await times(caller, query, draw, LEARNING);
  say(
    `| query, p50 / p95 in ms | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} | p50 grows |`,
  );
  say(`|---|${sizes.map(() => "---|").join("")}---|`);
  const missed: string[] = [];
  for (const query of asked) {
    const measured: number[][] = callers.map(() => []);
    for (let round = 0; round < rounds; round += 1)
      for (const [i, caller] of callers.entries())
        measured[i]?.push(...(await times(caller, query, draw, 1)));
    const [smallest, largest] = [measured[0] ?? [], measured.at(-1) ?? []];
    const growth = at(largest, 0.5) / at(smallest, 0.5);
    const cells = measured.map((each) => `${at(each, 0.5).toFixed(1)} / ${at(each, 0.95).toFixed(1)}`);
    say(`| ${query.name} | ${cells.join(" | ")} | ${growth.toFixed(2)} |`);
    const grows = query.kind === "page" && growth > GROWTH && at(largest, 0.5) > NOISE_MS;
    if (at(largest, 0.5) > GOALS[query.kind]) missed.push(`${query.name}: ${at(largest, 0.5).toFixed(0)} ms`);
    else if (at(largest, 0.99) > GOALS.slowest)
      missed.push(`${query.name}: slowest ${at(largest, 0.99).toFixed(0)} ms`);
    else if (grows) missed.push(`${query.name}: grows ${growth.toFixed(1)} times`);
  }
  say(`load of the machine after: ${load()}`);
  say(
    `${asked.length} queries; ${missed.length} missed a goal${missed.length === 0 ? "" : `: ${missed.join("; ")}`}`,
  );
  agent.destroy();
}
