import { randomInt } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { Wire } from "../support/wire.ts";
import type { OAuthLoad, OAuthMeasured } from "./oauth-load.ts";

const load = workerData as OAuthLoad;
const { items, mode, before = "" } = load;
const times: number[] = [];
const left: string[] = [];
let failed = 0;
let sent = 0;
let address = randomInt(2 ** 24);

const wires = await Promise.all(Array.from({ length: load.connections }, () => Wire.open(load.port)));
const start = performance.now();
const end = start + load.seconds * 1_000;
await Promise.all(wires.map(mode === "chain" ? follow : keepAsking));
const elapsed = (performance.now() - start) / 1_000;
for (const wire of wires) wire.close();
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
const calls = times.length;
const rates = { perSecond: calls / elapsed, p50: at(0.5), p99: at(0.99), failed, calls };
if (mode === "once") left.push(...items.slice(sent));
parentPort?.postMessage({ ...rates, left } satisfies Omit<OAuthMeasured, "cpu">);

async function keepAsking(wire: Wire): Promise<void> {
  while (performance.now() < end) {
    const item = items[mode === "once" ? sent : sent % items.length];
    if (item === undefined) return;
    sent += 1;
    await ask(wire, item);
  }
}

async function follow(wire: Wire, index: number): Promise<void> {
  let token = items[index];
  if (token === undefined) return;
  while (performance.now() < end) {
    const answer = await ask(wire, before + token);
    const next = /"refresh_token":"([^"]+)"/.exec(answer)?.[1];
    if (next === undefined) return;
    token = next;
  }
  left.push(token);
}

async function ask(wire: Wire, body: string): Promise<string> {
  const began = performance.now();
  const answer = await wire.ask(
    load.path,
    body,
    load.addresses === true ? forwarded() : (load.headers ?? ""),
    load.type,
  );
  times.push(performance.now() - began);
  if (answer.status !== load.expect) failed += 1;
  return answer.body;
}

function forwarded(): string {
  address = (address + 1) % 2 ** 24;
  return `X-Forwarded-For: 10.${address >> 16}.${(address >> 8) & 255}.${address & 255}\r\n`;
}
