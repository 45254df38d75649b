import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { Wire } from "../support/wire.ts";
import type { WriteRequest } from "./write-data.ts";
import type { WriteLoad, WritesMeasured } from "./write-load.ts";

const load = workerData as WriteLoad;
const messages = load.requests.map(bytesOf);
const times: number[] = [];
let failed = 0;
let sent = 0;

const wires = await Promise.all(Array.from({ length: load.connections }, () => Wire.open(load.port)));
const start = performance.now();
const end = start + load.seconds * 1_000;
await Promise.all(wires.map(keepAsking));
const elapsed = (performance.now() - start) / 1_000;
for (const wire of wires) wire.close();
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
const calls = times.length;
const measured = { perSecond: calls / elapsed, p50: at(0.5), p99: at(0.99), failed, calls };
parentPort?.postMessage(measured satisfies WritesMeasured);

async function keepAsking(wire: Wire): Promise<void> {
  for (let next = messages[sent++]; next !== undefined; next = messages[sent++]) {
    const began = performance.now();
    if (began > end) return;
    const answer = await wire.send(next);
    times.push(performance.now() - began);
    if (answer.status === 200 || answer.status === 201) continue;
    failed += 1;
    if (failed === 1) process.stderr.write(`${answer.status}: ${answer.body}\n`);
  }
}

function bytesOf({ method, path, body }: WriteRequest): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${load.key}\r\n`;
  const about = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + about + body);
}
