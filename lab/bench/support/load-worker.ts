import { parentPort, workerData } from "node:worker_threads";
import type { Load, Measured } from "./load.ts";
import { Wire } from "./wire.ts";

const load = workerData as Load;
const { port, pathname, search } = new URL(load.url);
const requests = load.bodies.map((body) =>
  Buffer.from(
    `${load.method ?? "POST"} ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${load.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  ),
);
const times: number[] = [];
let failed = 0;
let sent = 0;

const wires = await Promise.all(Array.from({ length: load.connections }, () => Wire.open(Number(port))));
const start = performance.now();
const end = start + load.seconds * 1_000;
await Promise.all(wires.map(keepAsking));
const elapsed = (performance.now() - start) / 1_000;
for (const wire of wires) wire.close();
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
const measured: Measured = { perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99), failed };
parentPort?.postMessage(measured);

async function keepAsking(wire: Wire): Promise<void> {
  while (performance.now() < end) {
    const request = requests[sent++ % requests.length];
    if (request === undefined) return;
    const began = performance.now();
    const { status } = await wire.send(request);
    times.push(performance.now() - began);
    if (status !== 200) failed += 1;
  }
}
