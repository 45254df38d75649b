import process from "node:process";
import { PROMISES } from "../../../test/chaos/check/broken.ts";
import { Chance } from "../../../test/chaos/random.ts";
import { runRounds } from "../../../test/chaos/rounds.ts";
import { FAULTS, type FaultKind } from "../../../test/chaos/schedule.ts";
import { refuseNoWork } from "./work.ts";

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

function kindsOf(text: string): readonly FaultKind[] {
  if (text === "") return FAULTS;
  const kinds = text.split(",").map((name) => {
    const kind = FAULTS.find((one) => one === name);
    if (kind === undefined) throw new Error(`${name} is not one of ${FAULTS.join(", ")}`);
    return kind;
  });
  return kinds;
}
