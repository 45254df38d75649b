import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../large.ts";
import { damage, filesOf } from "./support/damage.ts";
import {
  assertExact,
  type Entry,
  hasBackup,
  journalOf,
  nextSegment,
  type Restored,
} from "./support/journal.ts";
import { SECRET, served, until } from "./support/served.ts";

const settings = { BACKUPS: '{"at":"02:00"}' };

// Slow: damaged copies are verified and restored by the command line; LEADGATE_TEST_DAMAGES=200 makes more of them.
large(
  "random damages of a backup and its archive are noticed by verify and refused by restore",
  { timeout: 2_400_000 },
  async (t) => {
    const the = await served(t);
    const seed = Number(process.env.LEADGATE_TEST_SEED ?? Date.now() % 1_000_000);
    const backups = join(the.dataDir, "backups");
    const sites: { name: string; env: Record<string, string>; entries: Entry[] }[] = [];
    for (const [name, env] of [["plain", {}] as const, ["sealed", { BACKUP_PASSPHRASE: SECRET }] as const]) {
      await the.start({ ...settings, ...env });
      const caller = await the.caller(name);
      await until(() => hasBackup(backups), "the first backup");
      const journal = journalOf(name, caller.createLead);
      for (let n = 0; n < 6; n += 1) {
        await sleep(700);
        await nextSegment(the);
        if (n === 3) cpSync(backups, join(the.folder, `${name}-earlier`), { recursive: true });
      }
      await sleep(700);
      await journal.stop();
      await sleep(1_500);
      await the.end("SIGTERM");
      cpSync(backups, join(the.folder, name), { recursive: true });
      rmSync(backups, { recursive: true });
      sites.push({ name, env, entries: journal.entries });
    }

    for (const { name, env, entries } of sites) {
      const from = join(the.folder, name);
      const verified = await the.done<{ result: string }>(["backup", "verify", "--from", from], env);
      assert.equal(verified.result, "restored, every table as it was");
      for (const time of [
        entries.at(-1)?.acknowledged,
        entries[Math.floor(entries.length / 3)]?.acknowledged,
      ]) {
        const dataDir = join(the.folder, "intact");
        const to = ["--to", new Date(time ?? 0).toISOString()];
        const restored = await the.done<Restored>(["restore", "--from", from, "--without-key", ...to], {
          ...env,
          DATA_DIR: dataDir,
        });
        await assertExact(dataDir, restored, entries);
        rmSync(dataDir, { recursive: true });
      }
    }

    // The segments of the other service's archive, without its passphrase, are those of another server.
    const [plain] = sites;
    const foreign = join(the.folder, "foreign");
    mkdirSync(foreign);
    await the.start(settings);
    await until(() => hasBackup(backups), "the first backup of another archive");
    await nextSegment(the);
    await sleep(2_000);
    await the.end("SIGTERM");
    for (const file of filesOf(backups).filter((each) => each.startsWith("log-")))
      cpSync(join(backups, file), join(foreign, file.split(/[\\/]/).at(-1) ?? file));

    let [noticed, refused, wrong] = [0, 0, [] as string[]];
    const count = Number(process.env.LEADGATE_TEST_DAMAGES ?? 60);
    const one = async (n: number): Promise<void> => {
      const { name, env, entries } = (n % 4 === 0 ? sites[1] : plain) as (typeof sites)[number];
      const folder = join(the.folder, `damaged-${n}`);
      const dataDir = join(the.folder, `restored-${n}`);
      cpSync(join(the.folder, name), folder, { recursive: true });
      const done = damage({ folder, earlier: join(the.folder, `${name}-earlier`), foreign }, seed + n);
      const verified = await the.leadgate(["backup", "verify", "--from", folder], env);
      if (verified.code === 1) noticed += 1;
      else wrong.push(`${n}, not noticed: ${done}: ${verified.out}`);
      const into = { ...env, DATA_DIR: dataDir };
      const restored = await the.leadgate(["restore", "--from", folder, "--without-key", "--json"], into);
      if (restored.code === 1) refused += 1;
      else {
        wrong.push(`${n}, restored: ${done}: ${restored.out}`);
        await assertExact(dataDir, JSON.parse(restored.out) as Restored, entries).catch((error: Error) =>
          wrong.push(`${n}, false restored_to: ${error.message}`),
        );
      }
      for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
    };
    const numbers = Array.from({ length: count }, (_, n) => n);
    const work = async () => {
      for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) await one(n);
    };
    await Promise.all([work(), work()]);
    process.stdout.write(
      `seed ${seed}: ${count} damages, ${noticed} noticed by verify, ${refused} refused by restore\n`,
    );
    assert.deepEqual({ seed, wrong }, { seed, wrong: [] });
  },
);
