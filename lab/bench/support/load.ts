import { Worker } from "node:worker_threads";

export interface Load {
  url: string;
  /** POST by default. */
  method?: string;
  key: string;
  /** Sent in turn. */
  bodies: string[];
  connections: number;
  seconds: number;
}

/** What a load measured; times in milliseconds. */
export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}

/** Sends requests over keep-alive connections in a thread of its own, one at a time on each connection. */
export function measureLoad(load: Load): Promise<Measured> {
  const worker = new Worker(new URL("load-worker.ts", import.meta.url), { workerData: load });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
