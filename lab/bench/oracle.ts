import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { type Compared, compare } from "../../test/api/support/oracle.ts";
import { ALL_INDEXES, compareOrders, compareSearches } from "../../test/api/support/ordered-pages.ts";
import { closePool, openPool } from "../../test/citus/pool.ts";
import { prepareTemplate } from "../../test/template.ts";
import { type World, type WorldOptions, world } from "../../test/world.ts";
import { coordinatorUrl } from "./scale/nodes.ts";

const SHOWN = 20;

interface Part {
  name: string;
  count: number;
  leads: number;
  compare(the: World, options: { filters: number; leads: number; seed: number }): Promise<Compared>;
  options?: WorldOptions;
}

/**
 * Compares random filters, searches read by cursor, and orders with indexes and without, with a plain reference; any
 * difference fails. Pass the seed to repeat a run. With `citus`, the service is on the cluster that LEADGATE_TEST_CITUS leads to.
 */
export async function oracle(options: {
  filters: number;
  searches: number;
  orders: number;
  seed: number;
  citus: boolean;
}): Promise<void> {
  const parts: Part[] = [
    { name: "filters", count: options.filters, leads: 2_000, compare },
    { name: "searches by cursor", count: options.searches, leads: 400, compare: compareSearches },
    {
      name: "orders with indexes and without",
      count: options.orders,
      leads: 1_500,
      compare: compareOrders,
      options: ALL_INDEXES,
    },
  ];
  const folder = mkdtempSync(join(tmpdir(), "leadgate-oracle-"));
  const server = await startEmbedded({ dataDir: folder });
  try {
    await prepareTemplate(server.url);
    process.env.LEADGATE_TEST_SERVER = server.url;
    const pool = options.citus ? await openPool(coordinatorUrl(), join(folder, "pool")) : undefined;
    if (pool !== undefined) process.env.LEADGATE_TEST_CITUS_POOL = pool.folder;
    for (const part of parts) if (part.count > 0) await report(part, options.seed);
    if (pool !== undefined) await closePool(pool);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function report({ name, count, leads, compare, options }: Part, seed: number): Promise<void> {
  await using the = await world({ alone: true, ...options });
  const begun = performance.now();
  const { telling, differing } = await compare(the, { filters: count, leads, seed });
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const said = `${count} ${name} over ${leads} leads in ${seconds} s, seed ${seed}`;
  process.stdout.write(`${said}: ${telling} told leads apart, ${differing.length} differ\n`);
  for (const difference of differing.slice(0, SHOWN)) process.stdout.write(`${difference}\n`);
  if (differing.length > 0) process.exitCode = 1;
}
