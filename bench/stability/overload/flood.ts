import { Worker } from "node:worker_threads";

/** Requests to send in turn: by `connections` that wait for each answer, or `rate` a second whatever the answers do. */
export interface Flood {
  port: number;
  requests: readonly Uint8Array[];
  seconds: number;
  connections?: number;
  rate?: number;
}

/** One request: when it was to be sent and how long its answer took from then, in milliseconds; status 0 is none. */
export interface Sample {
  at: number;
  ms: number;
  status: number;
  retry: boolean;
}

/** Sends a flood from a thread of its own; returns a sample of each request. */
export function flood(load: Flood): Promise<Sample[]> {
  const worker = new Worker(new URL("flood-worker.ts", import.meta.url), { workerData: load });
  return new Promise((resolve, reject) => {
    worker.once("message", (packed: Float64Array) => resolve(unpacked(packed)));
    worker.once("error", reject);
  });
}

function unpacked(packed: Float64Array): Sample[] {
  return Array.from({ length: packed.length / 4 }, (_, i) => {
    const [at = 0, ms = 0, status = 0, retry = 0] = packed.subarray(i * 4, i * 4 + 4);
    return { at, ms, status, retry: retry === 1 };
  });
}

export const isGood = ({ status }: Sample): boolean => status >= 200 && status < 300;
export const isRefused = ({ status }: Sample): boolean => status === 429 || status === 503;

/** Returns the time below which this share of the samples lies, in milliseconds. */
export function percentile(samples: readonly Sample[], share: number): number {
  const times = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}
