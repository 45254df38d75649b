import { Agent } from "node:http";
import process from "node:process";
import { newId } from "../../../src/core/id.ts";
import { prepareUsual, type UsualProject } from "../../../test/api/filters/support/usual-data.ts";
import { Draw, USUAL } from "../../../test/api/filters/support/usual-queries.ts";
import { randomFrom } from "../../../test/api/support/random-filter.ts";
import { prepareGround, prepareTokens } from "../../../test/oauth/support/inserted-grants.ts";
import { type ServiceProcess, startService } from "../../../test/processes/service-process.ts";
import { measureOAuth } from "../oauth/oauth-load.ts";
import { measureLoad, median } from "../support/load.ts";
import { built, callerOf, LEARNING, times } from "../usual/usual-caller.ts";
import { coordinatorUrl, type Node, nodesOf, processorMs } from "./nodes.ts";
import { type TwoDatabases, twoDatabases } from "./two-databases.ts";
import { usualPlans } from "./usual-plans.ts";

const CONNECTIONS = 16;
const WRITERS = 4;
const PROJECTS = 2_000;
/** Ratios of the time of a request: a cluster on the same machine against one PostgreSQL. */
const GOALS = { page: 1.6, refresh: 2 };
const PAGES = 500;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const whole = (n: number) => Math.round(n).toLocaleString("en");

interface Options {
  seconds: number;
  rounds: number;
  seed: number;
  rows: number;
}

/**
 * Compares the service on a Citus cluster, whose coordinator LEADGATE_TEST_CITUS leads to, with the service on one PostgreSQL of
 * the same version on the same machine; shows that the usual queries go to one shard, that projects are spread evenly, and that
 * a large one gets a shard of its own.
 */
export async function scale({ seconds, rounds, seed, rows }: Options): Promise<void> {
  const coordinator = coordinatorUrl();
  await using databases = await twoDatabases(coordinator);
  const { one, cluster } = databases;
  const [project] = await prepareUsual({ ...one, ...NOTHING }, say, [rows]);
  await prepareUsual({ ...cluster, ...NOTHING }, say, [rows]);
  if (project === undefined) throw new Error("no project was made");
  const done = await databases.distribute();
  say(`distributed ${whole(rows)} leads over ${done.shards} shards in ${done.seconds.toFixed(0)} s`);
  await cluster.sql("SET citus.multi_shard_modify_mode = 'parallel'");
  for (const table of ["lead", "event", "dataset_row"]) await cluster.sql(`ANALYZE store.${table}`);

  await sizes(cluster, rows);
  const plans = await usualPlans(cluster.url, project, randomFrom(seed));
  for (const other of plans.others) say(other);
  say(
    `${plans.queries} usual queries send ${plans.statements} statements to nodes, ${plans.oneShard} of them to one shard`,
  );

  await compare(databases, await nodesOf(coordinator), project, { seconds, rounds, seed });
  await spread(cluster);
  await isolate(cluster, project);
}

/** Says what a lead takes, with its events, rows of datasets and indexes. */
async function sizes({ sql }: Side, rows: number): Promise<void> {
  const [found] = await sql<{ bytes: number; of_leads: number }>(
    `SELECT sum(shard_size)::float8 AS bytes,
       sum(shard_size) FILTER (WHERE table_name = 'store.lead'::regclass)::float8 AS of_leads
     FROM citus_shards WHERE citus_table_type = 'distributed'`,
  );
  const counts = await Promise.all(
    ["event", "dataset_row"].map((table) =>
      sql<{ n: number }>(`SELECT count(*)::integer AS n FROM store.${table}`),
    ),
  );
  const [events = 0, records = 0] = counts.map(([row]) => (row?.n ?? 0) / rows);
  say(
    `a lead takes ${whole((found?.bytes ?? 0) / rows)} bytes with indexes, ${whole((found?.of_leads ?? 0) / rows)} of its table, with ${events.toFixed(1)} events and ${records.toFixed(1)} rows of datasets`,
  );
}

const NOTHING = {
  bulk: async () => undefined,
  checkpoint: async () => false,
  pid: undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

type Sides = Pick<TwoDatabases, "one" | "cluster">;
type Side = Sides["one"];

/** Compares pages of leads, writes and refreshes, in turn. */
async function compare(
  { one, cluster }: Sides,
  nodes: readonly Node[],
  project: UsualProject,
  { seconds, rounds, seed }: Omit<Options, "rows">,
): Promise<void> {
  await using ofOne = await startService(one.url);
  await using ofCluster = await startService(cluster.url);
  const services: [ServiceProcess, Side][] = [
    [ofOne, one],
    [ofCluster, cluster],
  ];
  const each = async <T>(load: (service: ServiceProcess, side: Side) => Promise<T>) =>
    await Promise.all(services.map(([service, side]) => load(service, side)));
  for (const [name, sides, goal] of [
    ["page of leads", await each((service, side) => pagesOf(service, side, project, seed)), GOALS.page],
    ["upsert of a lead", await each((service) => upsertsOf(service, project)), undefined],
    ["refresh", await each(refreshesOf), GOALS.refresh],
  ] as const) {
    for (const side of sides) await side(5);
    const measured: number[][] = [];
    const spent: string[] = ["", ""];
    for (let round = 0; round < rounds; round += 1) {
      const rates: number[] = [];
      for (const [i, side] of sides.entries()) {
        const spentSoFar = () => [
          processorMs(services[i]?.[0].pid ?? 0),
          ...nodes.map((node) => node.processorMs()),
        ];
        const before = spentSoFar();
        const perSecond = (await side(seconds)) ?? 0;
        const times = spentSoFar().map((ms, n) => (ms - (before[n] ?? 0)) / (perSecond * seconds));
        const names = [
          "service",
          ...nodes.map(({ isCoordinator }) => (isCoordinator ? "coordinator" : "worker")),
        ];
        spent[i] = times.map((ms, n) => `${names[n]} ${ms.toFixed(2)}`).join(", ");
        rates.push(perSecond);
      }
      measured.push(rates);
    }
    const of = (i: 0 | 1) => median(measured.map((rates) => rates[i] ?? 0));
    const ratio = median(measured.map(([a = 0, b = 0]) => a / b));
    say(
      `${name}: ${whole(of(0))} a second on one PostgreSQL, ${whole(of(1))} on the cluster: ${ratio.toFixed(2)} times the cost${goal === undefined ? "" : ` (goal ${goal})`}`,
    );
    for (const [i, what] of ["one PostgreSQL", "cluster"].entries())
      say(`  ${what}, processor time per request, last round, in ms: ${spent[i]}`);
  }
  for (const node of nodes) {
    const memory = node.memory();
    say(
      `a connection of ${node.isCoordinator ? "the coordinator" : "a worker"} has ${megabytes(median(memory))} MB of its own, at most ${megabytes(memory.at(-1) ?? 0)} (${memory.length} connections)`,
    );
  }
}

/** The service has made the indexes of fields that the pages need when they are measured. */
async function pagesOf(
  service: ServiceProcess,
  side: Side,
  project: UsualProject,
  seed: number,
): Promise<(seconds: number) => Promise<number>> {
  const caller = await callerOf(service, project, new Agent({ keepAlive: true, maxSockets: 1 }));
  const draw = new Draw(randomFrom(seed));
  const queries = USUAL.filter(({ kind }) => kind === "page");
  for (const query of queries) await times(caller, query, draw, LEARNING);
  await built(side, say);
  const bodies = Array.from({ length: PAGES }, () => draw.of(queries).ask(draw, caller.ground))
    .filter(({ path, body }) => path === "/api/v1/leads/search" && body !== undefined)
    .map(({ body }) => JSON.stringify(body));
  const words = ["--project", project.id, "--name", "bench", "--permissions", "leads:read"];
  const key = String((await service.command("key", "create", ...words)).key);
  return async (seconds) => {
    const { perSecond, failed } = await measureLoad({
      url: `${service.baseUrl}/api/v1/leads/search`,
      key,
      bodies,
      connections: CONNECTIONS,
      seconds,
    });
    if (failed > 0) say(`  ${failed} of ${whole(perSecond * seconds)} pages were refused`);
    return perSecond;
  };
}

/** Each creates a lead, with its event and its change. */
async function upsertsOf(
  service: ServiceProcess,
  project: UsualProject,
): Promise<(seconds: number) => Promise<number>> {
  const words = ["--project", project.id, "--name", "writes", "--permissions", "leads:read,leads:write"];
  const key = String((await service.command("key", "create", ...words)).key);
  let made = 0;
  return async (seconds) => {
    const until = performance.now() + seconds * 1_000;
    let done = 0;
    const write = async () => {
      for (; performance.now() < until; done += 1) {
        made += 1;
        const answer = await fetch(`${service.baseUrl}/api/v1/leads/upsert`, {
          method: "PUT",
          headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
          body: JSON.stringify({
            match_on: ["external_id"],
            lead: { external_id: `bench-${made}`, name: `Lead ${made}` },
          }),
        });
        await answer.text();
        if (!answer.ok) throw new Error(`an upsert was answered with ${answer.status}`);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    return done / seconds;
  };
}

async function refreshesOf(
  service: ServiceProcess,
  side: Side,
): Promise<(seconds: number) => Promise<number>> {
  const ground = await prepareGround(side);
  let items = (await prepareTokens(side, ground, CONNECTIONS)).map(({ refresh }) => refresh);
  const before = `grant_type=refresh_token&client_id=${ground.clientId}&refresh_token=`;
  return async (seconds) => {
    const load = {
      port: service.authPort,
      path: "/api/oauth/token",
      mode: "chain" as const,
      items,
      before,
      seconds,
    };
    const measured = await measureOAuth(service.pid, { ...load, expect: 200, connections: CONNECTIONS });
    if (measured.failed > 0) throw new Error(`${measured.failed} refreshes failed`);
    items = measured.left;
    return measured.perSecond;
  };
}

/** Shows how many of new projects each shard and each node gets. */
async function spread({ sql }: Side): Promise<void> {
  const ids = Array.from({ length: PROJECTS }, () => newId("prj"));
  await sql(
    "INSERT INTO store.project (project_id, name, slug) SELECT id, 'Spread', 'spread' FROM unnest($1::text[]) AS id",
    [ids],
  );
  const counts = await sql<{ node: string; shard: string; projects: number }>(
    `SELECT s.nodename || ':' || s.nodeport AS node, s.shardid::text AS shard, count(*)::integer AS projects
     FROM unnest($1::text[]) AS id JOIN citus_shards s ON s.table_name = 'store.project'::regclass
       AND s.shardid = get_shard_id_for_distribution_column('store.project', id) GROUP BY 1, 2`,
    [ids],
  );
  const nodes = Map.groupBy(counts, ({ node }) => node);
  const perNode = [...nodes.values()].map((of) => of.reduce((sum, { projects }) => sum + projects, 0));
  const perShard = counts.map(({ projects }) => projects);
  say(
    `${whole(PROJECTS)} projects: ${perNode.join(" and ")} on the nodes, ${Math.min(...perShard)} to ${Math.max(...perShard)} on a shard (${(PROJECTS / perShard.length).toFixed(1)} on average of ${perShard.length})`,
  );
}

/** Gives the large project a shard of its own. */
async function isolate({ sql }: Side, { id }: UsualProject): Promise<void> {
  const began = performance.now();
  await sql(
    "SELECT isolate_tenant_to_new_shard('store.project', $1::text, 'CASCADE', shard_transfer_mode => 'block_writes')",
    [id],
  );
  const [own] = await sql<{ projects: number }>(
    `SELECT count(*)::integer AS projects FROM store.project
     WHERE get_shard_id_for_distribution_column('store.project', project_id) = get_shard_id_for_distribution_column('store.project', $1::text)`,
    [id],
  );
  say(
    `isolated in ${((performance.now() - began) / 1_000).toFixed(0)} s; its shard has ${own?.projects} project`,
  );
}
