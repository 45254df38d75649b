import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { allLeads, Mirror } from "../../test/api/support/mirror.ts";
import { eraser } from "../../test/erasure/support/erasing.ts";
import { prepareTemplate } from "../../test/template.ts";
import { world } from "../../test/world.ts";
import { Ground, RandomWriter } from "./mirror/random-writer.ts";
import { refuseNoWork } from "./stability/work.ts";

const WRITERS = 4;
const SHOWN = 10;

/**
 * Makes random changes of every kind through the API while a mirror follows by the recipe of the documents, and compares
 * it with the source at the end. Exits with 1 if a lead differs. The order in which the writers' calls meet is not repeated.
 */
export async function mirror({ changes, seed }: { changes: number; seed: number }): Promise<void> {
  refuseNoWork("--changes", changes, true);
  const folder = mkdtempSync(join(tmpdir(), "leadgate-mirror-"));
  const server = await startEmbedded({ dataDir: folder });
  try {
    await prepareTemplate(server.url);
    process.env.LEADGATE_TEST_SERVER = server.url;
    await using the = await world({ alone: true });
    const key = await eraser(the);
    const untracked = { key: "shelf", label: "Shelf", type: "text", timeline: false };
    for (const [method, path, body] of [
      ["POST", "/api/v1/fields", untracked],
      ["PUT", "/api/v1/quiet-fields", { fields: ["city"] }],
    ] as const)
      assert.ok((await key.send(method, path, body)).ok);
    const ground = new Ground(the, key);
    const first = new RandomWriter(ground, seed);
    while (ground.leads.length < 500) await first.write();

    const begun = performance.now();
    const copy = new Mirror(key.send);
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async (_, n) => {
        const writer = new RandomWriter(ground, seed * 1_000 + n);
        while (ground.total < changes) await writer.write();
      }),
    );
    let isWriting = true;
    const written = writing.finally(() => {
      isWriting = false;
    });
    await copy.sync(100);
    while (isWriting) {
      await copy.follow();
      await sleep(20);
    }
    await written;
    const stored = await allLeads(key.send);
    await copy.follow();
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const kinds = Object.entries(ground.done).map(([kind, count]) => `${kind} ${count}`);
    process.stdout.write(`${ground.total} changes in ${seconds} s, seed ${seed}: ${kinds.join(", ")}\n`);
    const differing = [...new Set([...stored.keys(), ...copy.leads.keys()])].filter(
      (id) => !isDeepStrictEqual(stored.get(id), copy.leads.get(id)),
    );
    process.stdout.write(
      `${copy.events} events were followed; ${stored.size} leads are left, ${differing.length} differ\n`,
    );
    for (const id of differing.slice(0, SHOWN))
      process.stdout.write(`${JSON.stringify({ source: stored.get(id), mirror: copy.leads.get(id) })}\n`);
    if (differing.length > 0) process.exitCode = 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
