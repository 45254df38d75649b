import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { startEmbedded } from "../src/db/embedded/index.ts";
import { compare } from "../test/api/support/oracle.ts";
import { prepareTemplate } from "../test/template.ts";
import { world } from "../test/world.ts";

const LEADS = 2_000;
const SHOWN = 20;

/** Compares random filters with a plain reference; any difference fails. Pass the seed to repeat a run. */
export async function oracle({ filters, seed }: { filters: number; seed: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-oracle-"));
  const server = await startEmbedded({ dataDir: folder });
  try {
    await prepareTemplate(server.url);
    process.env.LEADGATE_TEST_SERVER = server.url;
    await using the = await world();
    const begun = performance.now();
    const { telling, differing } = await compare(the, { filters, leads: LEADS, seed });
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const said = `${filters} filters over ${LEADS} leads in ${seconds} s, seed ${seed}`;
    process.stdout.write(`${said}: ${telling} told leads apart, ${differing.length} differ\n`);
    for (const difference of differing.slice(0, SHOWN)) process.stdout.write(`${difference}\n`);
    if (differing.length > 0) process.exitCode = 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
