import { globSync, rmSync } from "node:fs";
import process from "node:process";
import { noRedis, ownRedis } from "../../test/limits/support/redis.ts";
import { type Broken, PROMISES } from "./chaos/check/broken.ts";
import { check } from "./chaos/check/check.ts";
import { Ground } from "./chaos/ground.ts";
import { type Call, type History, isAcknowledged } from "./chaos/history.ts";
import { otherVersion } from "./chaos/other-version.ts";
import { Chance } from "./chaos/random.ts";
import { type Round, runRound, type Tools } from "./chaos/round.ts";
import { FAULTS, type FaultKind, lineOf, scheduleOf } from "./chaos/schedule.ts";
import { refuseNoWork } from "./work.ts";

/** After so many rounds, PostgreSQL gets a new folder. */
const GROUP = 25;

export interface ChaosOptions {
  rounds: number;
  /** From which the seeds of the rounds follow. */
  seed: number;
  /** The seed of the only round to run. */
  only: string;
  /** The kinds of faults to choose from, comma-separated; empty: all. They change what a seed means. */
  faults: string;
  /** The git revision of the other version. */
  against: string;
}

/**
 * Runs rounds of random faults and checks their histories. Histories and logs of broken rounds stay in
 * data/chaos. Exits with 1 if a promise was broken.
 */
export async function chaos({ rounds, seed, only, faults, against }: ChaosOptions): Promise<void> {
  const kinds = kindsOf(faults);
  if (only === "") {
    refuseNoWork("--rounds", rounds, true);
    refuseNoWork("--seed", seed, true);
  } else if (!/^\d+(,\d+)*$/.test(only)) throw new Error(`--only must be seeds, such as 7,21, not ${only}`);
  const chance = new Chance(seed);
  const seeds =
    only === ""
      ? Array.from({ length: rounds }, () => chance.between(1, 999_999_999))
      : only.split(",").map(Number);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  say(`seed ${seed}, faults: ${kinds.join(" ")}`);
  const started = performance.now();
  const done = await runRounds({ seeds, kinds, against, folder: "data/chaos", say });
  const broken = done.filter(({ found }) => found.length > 0);
  const seconds = (performance.now() - started) / 1_000;
  const rate = `${(seconds / Math.max(1, done.length)).toFixed(1)} s each`;
  const byPromise = PROMISES.map(
    (name) => [name, broken.filter(({ found }) => found.some(({ promise }) => promise === name))] as const,
  );
  say(`${done.length} rounds, ${rate}, broken ${broken.length}`);
  for (const [name, { length }] of byPromise)
    say(`  ${name}: ${length === 0 ? "kept" : `broken in ${length} rounds`}`);
  if (done.length === 0) throw new Error("no round was played");
  if (broken.length > 0) process.exitCode = 1;
}

/** Runs the rounds of these seeds, up to an interruption (SIGINT); returns what each of them broke. */
export async function runRounds(options: {
  seeds: readonly number[];
  kinds?: readonly FaultKind[];
  against?: string;
  folder: string;
  say(line: string): void;
}): Promise<{ seed: number; found: Broken[] }[]> {
  const { seeds, kinds = FAULTS, against = "HEAD~1", folder, say } = options;
  const done: { seed: number; found: Broken[] }[] = [];
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    say("ends after this round");
  };
  process.once("SIGINT", stop);
  const other = otherVersion(against);
  if (other === undefined) say(`two versions: skipped, ${against} is not in this folder's git repository`);
  const redis = noRedis === false ? await ownRedis() : undefined;
  if (redis === undefined) say(`limits in Redis: skipped, ${noRedis}`);
  try {
    const faketime = globSync("/usr/lib/*/faketime/libfaketime.so.1")[0];
    if (faketime === undefined) say("clock: skipped, libfaketime is absent (Debian: faketime)");
    for (let first = 0; first < seeds.length && !isStopped; first += GROUP) {
      const ground = await Ground.prepare();
      if (!ground.canFill) say("disk-full: skipped, no file system can be mounted here");
      try {
        const tools: Tools = { ground, redisUrl: redis?.url, faketime, otherVersion: other, folder };
        for (const seed of seeds.slice(first, first + GROUP)) {
          if (isStopped) break;
          const schedule = scheduleOf(seed, kinds);
          const started = performance.now();
          const round = await runRound(schedule, tools);
          const found = [...round.failed, ...check(round.history)];
          const seconds = ((performance.now() - started) / 1_000).toFixed(1);
          say(
            `${seed}  ${lineOf(schedule)}  ${seconds} s (${round.phases.map((ms) => (ms / 1_000).toFixed(1)).join(", ")})  ${countsOf(round.history)}  ${verdictOf(found)}`,
          );
          keepOrRemove(round, found, say);
          done.push({ seed, found });
        }
      } finally {
        await ground.stop();
      }
    }
  } finally {
    process.off("SIGINT", stop);
    await redis?.[Symbol.asyncDispose]();
    if (other !== undefined) rmSync(other, { recursive: true, force: true });
  }
  return done;
}

function kindsOf(text: string): readonly FaultKind[] {
  if (text === "") return FAULTS;
  const kinds = text.split(",").map((name) => {
    const kind = FAULTS.find((one) => one === name);
    if (kind === undefined) throw new Error(`${name} is not one of ${FAULTS.join(", ")}`);
    return kind;
  });
  return kinds;
}

const isUnanswered = ({ status, isSent }: Call): boolean => isSent && status === null;

function countsOf(history: History): string {
  const calls = history.filter((entry): entry is Call => entry.kind === "call");
  const count = (of: (call: Call) => boolean): number => calls.filter(of).length;
  const [unavailable, unanswered] = [count(({ status }) => status === 503), count(isUnanswered)];
  return `${calls.length} calls, ${count(isAcknowledged)} acknowledged, ${unavailable} 503, ${unanswered} unanswered`;
}

const verdictOf = (found: readonly Broken[]): string =>
  found.length === 0 ? "kept" : `BROKEN: ${[...new Set(found.map(({ promise }) => promise))].join(", ")}`;

function keepOrRemove({ files }: Round, found: readonly Broken[], say: (line: string) => void): void {
  if (found.length === 0) {
    for (const file of files) rmSync(file, { force: true });
    return;
  }
  for (const { promise, what } of found.slice(0, 8)) say(`    ${promise}: ${what}`);
  if (found.length > 8) say(`    and ${found.length - 8} more`);
  say(`    see ${files.join(" and ")}`);
}
