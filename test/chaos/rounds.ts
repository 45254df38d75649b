import { globSync, rmSync } from "node:fs";
import process from "node:process";
import { noRedis, ownRedis } from "../limits/support/redis.ts";
import type { Broken } from "./check/broken.ts";
import { check } from "./check/check.ts";
import { Ground } from "./ground.ts";
import { type Call, type History, isAcknowledged } from "./history.ts";
import { otherVersion } from "./other-version.ts";
import { type Round, runRound, type Tools } from "./round.ts";
import { FAULTS, type FaultKind, lineOf, scheduleOf } from "./schedule.ts";

/** After so many rounds, PostgreSQL gets a new folder. */
const GROUP = 25;

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
