import { parentPort, workerData } from "node:worker_threads";
import { Wire } from "../../support/wire.ts";
import { type Flood, STOPPED } from "./flood.ts";

/** More would be the generator's own problem; what is due meanwhile waits, and its time runs. */
const MOST_CONNECTIONS = 4_000;

const { port, requests, seconds, connections, rate } = workerData as Flood;
const samples: number[] = [];
const idle: Wire[] = [];
let open = 0;
let turn = 0;
const start = performance.now();
const end = start + seconds * 1_000;

const asked: Promise<void>[] = [];
if (rate === undefined) asked.push(...Array.from({ length: connections ?? 16 }, keepAsking));
else await keepArriving(rate);
await new Promise((resolve) => setTimeout(resolve, Math.max(0, end - performance.now())));
parentPort?.postMessage(STOPPED);
await Promise.all(asked);
parentPort?.postMessage(new Float64Array(samples));
for (const wire of idle) wire.close();

async function keepAsking(): Promise<void> {
  while (performance.now() < end) await ask(performance.now());
}

/** Sends what is due, every millisecond or as soon as possible, and nothing after the end. */
async function keepArriving(perSecond: number): Promise<void> {
  const all = Math.floor(perSecond * seconds);
  const dueAt = (n: number) => start + (n * 1_000) / perSecond;
  for (let sent = 0; sent < all && performance.now() < end; ) {
    const now = performance.now();
    while (sent < all && dueAt(sent) <= now && open - idle.length < MOST_CONNECTIONS) {
      asked.push(ask(dueAt(sent)));
      sent += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function ask(due: number): Promise<void> {
  const bytes = requests[turn++ % requests.length] ?? new Uint8Array();
  let wire = idle.pop();
  let [status, retry] = [0, 0];
  try {
    if (wire === undefined) {
      open += 1;
      wire = await Wire.open(port).catch((error: unknown) => {
        open -= 1;
        throw error;
      });
    }
    const answer = await wire.send(bytes);
    status = answer.status;
    if (status >= 400 && /\r\nretry-after: *\d/i.test(answer.head)) retry = 1;
    if (/\r\nconnection: *close/i.test(answer.head)) throw new Error("closed");
    idle.push(wire);
  } catch {
    if (wire !== undefined) {
      wire.close();
      open -= 1;
    }
  }
  samples.push(due - start, performance.now() - due, status, retry);
}
