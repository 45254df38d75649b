import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startEmbedded } from "../../../src/db/embedded/index.ts";
import { ask } from "../../embedded/support/rig.ts";
import type { Served } from "./served.ts";

/** A lead, and the times before it was asked for and after it was acknowledged. */
export interface Entry {
  name: string;
  sent: number;
  acknowledged: number;
}

export interface Restored {
  restored_to: string;
  complete_until: string | null;
  missing_seconds?: number | null;
}

/** Writes leads one after the other until it is stopped. */
export function journalOf(
  prefix: string,
  create: (name: string) => Promise<number>,
): { entries: Entry[]; stop(): Promise<void> } {
  const entries: Entry[] = [];
  let isWriting = true;
  const writing = (async () => {
    for (let n = 0; isWriting; n += 1) {
      const [name, sent] = [`${prefix} ${n}`, Date.now()];
      if ((await create(name)) === 201) entries.push({ name, sent, acknowledged: Date.now() });
    }
  })();
  return {
    entries,
    async stop() {
      isWriting = false;
      await writing;
    },
  };
}

/** Whether a folder has a complete backup. */
export const hasBackup = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, "backup.json")));

/** Ends the current segment of the log, so that an archive has several. */
export async function nextSegment(the: Served): Promise<void> {
  const server = await startEmbedded({ dataDir: the.dataDir, attach: true });
  await ask(server.superuserUrl, "SELECT pg_switch_wal()");
}

/** The names of the leads in a restored data folder. */
async function namesIn(dataDir: string): Promise<Set<string>> {
  const server = await startEmbedded({ dataDir });
  try {
    return new Set(
      (await ask(server.superuserUrl, "SELECT name FROM store.lead")).map(([name]) => String(name)),
    );
  } finally {
    await server.stop();
  }
}

/** Asserts that a restored folder has exactly what a restore reported. */
export async function assertExact(
  dataDir: string,
  { restored_to, complete_until }: Restored,
  entries: readonly Entry[],
) {
  const names = await namesIn(dataDir);
  const until = Date.parse(complete_until ?? restored_to);
  const lost = entries.filter(({ name, acknowledged }) => acknowledged <= until && !names.has(name));
  const early = entries.filter(
    ({ name, sent }) => complete_until !== null && sent > until && names.has(name),
  );
  assert.deepEqual({ lost, early }, { lost: [], early: [] });
  assert.ok(Date.parse(restored_to) <= until);
}
