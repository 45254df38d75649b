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

/** What the thread says when it sends nothing more; answers may still come. */
export const STOPPED = "stopped";

/** A flood that goes on. */
interface Flooding {
  /** Resolves at its end, when nothing more is sent. */
  stopped: Promise<void>;
  /** A sample of each request, once all are answered. */
  samples: Promise<Sample[]>;
}

/** Starts to send a flood, from a thread of its own. */
export function startFlood(load: Flood): Flooding {
  const worker = new Worker(new URL("flood-worker.ts", import.meta.url), { workerData: load });
  const [stopped, samples] = [Promise.withResolvers<void>(), Promise.withResolvers<Sample[]>()];
  worker.on("message", (message: typeof STOPPED | Float64Array) =>
    message === STOPPED ? stopped.resolve() : samples.resolve(unpacked(message)),
  );
  worker.once("error", (error) => {
    stopped.resolve();
    samples.reject(error);
  });
  return { stopped: stopped.promise, samples: samples.promise };
}

/** Sends a flood; returns a sample of each request. */
export const flood = (load: Flood): Promise<Sample[]> => startFlood(load).samples;

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
