import process from "node:process";
import { noHaproxy } from "../../../test/draining/support/haproxy.ts";
import { rollingRestart } from "../../../test/draining/support/rolling-restart.ts";
import { freePort } from "../../../test/world.ts";
import { benchDatabase } from "../support/database.ts";
import { refuseNoWork } from "./work.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Restarts two instances behind HAProxy in turn under load. Throws if a request failed, a lead is unaccounted for, or
 * a stop took ten seconds or ended with another code than 0. Without HAProxy it throws as well.
 */
export async function rolling({ restarts }: { restarts: number }): Promise<void> {
  refuseNoWork("--restarts", restarts, true);
  if (noHaproxy !== false) throw new Error(noHaproxy);
  await using database = await benchDatabase({ fresh: true, folder: "data/bench-rolling" });
  const { calls, isDuring, stops, unaccounted } = await rollingRestart(database, restarts, freePort, say);
  const failed = calls.filter(({ fault }) => fault !== undefined);
  const longest = Math.max(...stops.map(({ seconds }) => seconds));
  for (const [kind, of = []] of Object.entries(Object.groupBy(calls, (call) => call.kind)))
    say(`${kind}: ${of.length} requests, failed ${of.filter(({ fault }) => fault !== undefined).length}`);
  for (const { kind, fault } of failed.slice(0, 20)) say(`failed ${kind}: ${fault}`);
  const p99 = (during: boolean) =>
    at99(calls.filter(({ began }) => isDuring(began) === during).map(({ ms }) => ms)).toFixed(0);
  say(
    `${stops.length} restarts: ${calls.length} requests, failed ${failed.length}, unaccounted leads ${unaccounted}`,
  );
  say(`p99 during restarts ${p99(true)} ms, otherwise ${p99(false)} ms`);
  say(`longest SIGTERM to exit ${longest.toFixed(1)} s`);
  const isClean = stops.every(({ code }) => code === 0) && longest < 10;
  if (calls.length === 0) throw new Error("no request was sent");
  if (failed.length > 0 || unaccounted > 0 || !isClean) throw new Error("a rolling restart was noticed");
}

function at99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
