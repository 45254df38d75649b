import { Worker } from "node:worker_threads";
import { cpuSeconds } from "../support/processor.ts";

/** A load on one OAuth endpoint. */
export interface OAuthLoad {
  port: number;
  path: string;
  /**
   * What is sent: each of `items` once (codes), repeatedly (`repeat`), or each on its own connection as the
   * first refresh token of a chain, in which every response contains the next token (`chain`).
   */
  mode: "once" | "repeat" | "chain";
  items: string[];
  /** The part of the body before an item, for chains. */
  before?: string;
  type?: string;
  /** Whether every request has its own client address, by X-Forwarded-For. */
  addresses?: boolean;
  /** Additional headers of every request, each line with its line break. */
  headers?: string;
  expect: number;
  connections: number;
  seconds: number;
}

/** What a load measured; times in milliseconds. */
export interface OAuthMeasured {
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
  calls: number;
  /** The remaining items: the newest refresh token of each chain, or what was not sent. */
  left: string[];
  /** CPU milliseconds of the server's process per call, all threads. */
  cpu: number;
}

/** Runs a load in a thread of its own, and measures the process that answers it. */
export async function measureOAuth(pid: number, load: OAuthLoad): Promise<OAuthMeasured> {
  const before = cpuSeconds(pid);
  const worker = new Worker(new URL("oauth-worker.ts", import.meta.url), { workerData: load });
  const measured = await new Promise<Omit<OAuthMeasured, "cpu">>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return { ...measured, cpu: ((cpuSeconds(pid) - before) * 1_000) / measured.calls };
}
