import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../../src/core/id.ts";
import { distribute } from "../../../src/db/distribute/distribute.ts";
import { undistributed } from "../../../test/citus/pool.ts";
import { startService } from "../../../test/processes/service-process.ts";
import { AcknowledgedLoad, type Known, type LoadedProject } from "./acknowledged.ts";
import { coordinatorUrl, type Node, nodesOf, sqlOn } from "./nodes.ts";

const PROJECTS = 16;
const SHARDS = 8;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Kills a worker and the coordinator, moves shards and rebalances, adds a node and removes it, all while leads are written and read, and says what requests
 * met. Exits with 1 if anything acknowledged is lost, a feed skips or repeats an event, a project of another node is disturbed by
 * a dead worker, or a move fails a request. The cluster's servers must be of this machine.
 */
export async function scaleFaults({ seconds }: { seconds: number }): Promise<void> {
  const coordinator = coordinatorUrl();
  const nodes = await nodesOf(coordinator);
  const database = await undistributed(coordinator);
  try {
    await distribute(database.url, { shards: SHARDS, report: () => undefined });
    await run(database.url, nodes, seconds);
  } finally {
    await database.drop();
  }
}

const PLACES = `SELECT p.id, s.nodeport AS port FROM unnest($1::text[]) AS p (id)
  JOIN citus_shards s ON s.table_name = 'store.project'::regclass
    AND s.shardid = get_shard_id_for_distribution_column('store.project', p.id)`;

async function run(url: string, nodes: readonly Node[], seconds: number): Promise<void> {
  const env = { LOG_LEVEL: process.env.LOG_LEVEL ?? "fatal" };
  await using service = await startService(url, env);
  const places = new Map<string, number>();
  const projects: LoadedProject[] = [];
  const look = async () => {
    const ids = projects.map(({ id }) => id);
    for (const { id, port } of await sqlOn<{ id: string; port: number }>(url, PLACES, [ids]))
      places.set(id, port);
  };
  for (let n = 0; n < PROJECTS; n += 1) {
    const id = newId("prj");
    await sqlOn(url, "INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Bench', 'bench')", [
      id,
    ]);
    const words = ["--project", id, "--name", "bench", "--permissions", "leads:read,leads:write"];
    const { key } = await service.command("key", "create", ...words);
    projects.push({ id, key: String(key), node: () => places.get(id) ?? 0 });
  }
  await look();
  const load = new AcknowledgedLoad(service.baseUrl, projects);
  const faults: string[] = [];
  const phase = async (name: string, work: () => Promise<void>, allowed: (what: string) => boolean) => {
    const began = performance.now();
    await work();
    const { requests, failed, wrong } = load.met();
    const met = [...failed].map(([what, count]) => `${count} x ${what}`).join(", ");
    say(
      `${name}: ${requests} requests in ${((performance.now() - began) / 1_000).toFixed(0)} s; not answered as usual: ${met || "none"}; wrong: ${wrong.length}`,
    );
    faults.push(
      ...wrong,
      ...[...failed.keys()].filter((what) => !allowed(what)).map((what) => `${name}: ${what}`),
    );
  };
  const never = () => false;
  const [head, worker] = [
    nodes.find((node) => node.isCoordinator),
    nodes.find((node) => !node.isCoordinator),
  ];
  if (head === undefined || worker === undefined) throw new Error("the cluster lacks a worker");

  await phase("nothing happens", () => sleep(seconds * 1_000), never);
  const ofWorker = (what: string) => what.startsWith(`${worker.port}: 503 `);
  await phase(
    "a worker is killed",
    async () => {
      await worker.kill();
      await sleep(seconds * 1_000);
    },
    ofWorker,
  );
  await phase(
    "it starts again",
    async () => {
      await worker.start();
      await sleep(seconds * 1_000);
    },
    ofWorker,
  );
  await phase("nothing happens", () => sleep(seconds * 1_000), never);
  await phase(
    "the coordinator is killed",
    async () => {
      await head.kill();
      await sleep(2_000);
      await head.start();
      await sleep(seconds * 1_000);
    },
    (what) => /^\d+: 503 /.test(what),
  );
  await phase("nothing happens", () => sleep(seconds * 1_000), never);
  await phase("shards move", () => moveShards(url, nodes), never);
  await look();
  await phase(
    "the cluster is rebalanced",
    async () => {
      await sqlOn(url, REBALANCE);
    },
    never,
  );
  await look();
  {
    await using added = await worker.another(url);
    const { host, port } = added;
    const counted = async () => {
      await look();
      return `${projects.filter((project) => project.node() === port).length} of ${PROJECTS} projects are on the new node`;
    };
    await phase(
      "a node is added, and the cluster rebalanced",
      async () => {
        await sqlOn(url, "SELECT citus_add_node($1, $2)", [host, port]);
        await sqlOn(url, REBALANCE);
        await sleep(seconds * 1_000);
      },
      never,
    );
    say(await counted());
    await phase(
      "it is emptied and removed",
      async () => {
        await sqlOn(url, "SELECT citus_drain_node($1, $2)", [host, port]);
        await sqlOn(url, "SELECT citus_remove_node($1, $2)", [host, port]);
        await sleep(seconds * 1_000);
      },
      never,
    );
    say(await counted());
  }
  await phase("nothing happens", () => sleep(seconds * 1_000), never);
  faults.push(...(await losses(url, await load.stop())));
  for (const fault of faults.slice(0, 20)) say(fault);
  say(
    faults.length === 0 ? "nothing was lost, and nothing was wrong" : `${faults.length} promises were broken`,
  );
  if (faults.length > 0) process.exitCode = 1;
}

const REBALANCE = "SELECT rebalance_table_shards('store.project', rebalance_strategy => 'by_shard_count')";

/** Moves all shards to one worker. */
async function moveShards(url: string, nodes: readonly Node[]): Promise<void> {
  const [target] = nodes.filter((node) => !node.isCoordinator);
  const shards = await sqlOn<{ shard: string; host: string; port: number }>(
    url,
    "SELECT shardid::text AS shard, nodename AS host, nodeport AS port FROM citus_shards WHERE table_name = 'store.project'::regclass",
  );
  for (const { shard, host, port } of shards)
    if (port !== target?.port)
      await sqlOn(url, "SELECT citus_move_shard_placement($1::bigint, $2, $3, $2, $4, 'force_logical')", [
        shard,
        host,
        port,
        target?.port,
      ]);
}

/** What was acknowledged and is not there once, and events that a follower was told never or twice. */
async function losses(url: string, known: ReadonlyMap<string, Known>): Promise<string[]> {
  const found: string[] = [];
  let leads = 0;
  let events = 0;
  for (const [id, { acknowledged, told }] of known) {
    const stored = await sqlOn<{ external_id: string }>(
      url,
      "SELECT external_id FROM store.lead WHERE project_id = $1",
      [id],
    );
    const counts = Map.groupBy(stored, ({ external_id }) => external_id);
    for (const external of acknowledged)
      if (counts.get(external)?.length !== 1)
        found.push(`${external} is there ${counts.get(external)?.length ?? 0} times`);
    const written = await sqlOn<{ id: string }>(
      url,
      "SELECT id FROM store.event WHERE project_id = $1 ORDER BY tx, id",
      [id],
    );
    const order = written.map((event) => event.id);
    if (JSON.stringify(order) !== JSON.stringify(told))
      found.push(
        `the feed of ${id} told ${told.length} events (${new Set(told).size} different), and ${order.length} were written`,
      );
    leads += acknowledged.length;
    events += told.length;
  }
  say(`${leads} leads were acknowledged, ${events} events told in the order of their transactions`);
  return found;
}
