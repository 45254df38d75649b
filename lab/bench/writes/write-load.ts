import { Worker } from "node:worker_threads";
import type { Measured } from "../support/load.ts";
import type { WriteRequest } from "./write-data.ts";

export interface WriteLoad {
  port: number;
  key: string;
  /** Each is sent once. */
  requests: WriteRequest[];
  connections: number;
  seconds: number;
}

export interface WritesMeasured extends Measured {
  calls: number;
}

/** Sends writes over keep-alive connections in a thread of its own, until the time is over or all are sent. */
export function measureWrites(load: WriteLoad): Promise<WritesMeasured> {
  const worker = new Worker(new URL("write-worker.ts", import.meta.url), { workerData: load });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
