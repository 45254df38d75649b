import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import type { Load, Measured } from "./load.ts";

const load = workerData as Load;
const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
const times: number[] = [];
let failed = 0;
let sent = 0;

const start = performance.now();
const end = start + load.seconds * 1_000;
await Promise.all(Array.from({ length: load.connections }, keepAsking));
const elapsed = (performance.now() - start) / 1_000;
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
const measured: Measured = { perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99), failed };
agent.destroy();
parentPort?.postMessage(measured);

async function keepAsking(): Promise<void> {
  while (performance.now() < end) {
    const began = performance.now();
    if ((await ask(load.bodies[sent++ % load.bodies.length] ?? "{}")) !== 200) failed += 1;
    times.push(performance.now() - began);
  }
}

function ask(body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${load.key}`,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    const asked = request(load.url, { method: load.method ?? "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode));
    });
    asked.once("error", reject);
    asked.end(body);
  });
}
