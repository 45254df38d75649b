import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** A load on one OAuth endpoint. */
export interface OAuthLoad {
  port: number;
  path: string;
  /**
   * What is sent: `items` each once (codes), over and over (`repeat`), or each on its own connection as the first
   * refresh token of a chain whose every answer brings the next (`chain`).
   */
  mode: "once" | "repeat" | "chain";
  items: string[];
  /** Stands before an item in the body, for chains. */
  before?: string;
  type?: string;
  /** Whether every request comes from an address of its own, by X-Forwarded-For. */
  addresses?: boolean;
  /** More headers of every request, each line with its end. */
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
  /** The items that are left: the newest refresh token of each chain, or what was not sent. */
  left: string[];
  /** Milliseconds of processor time that the server's process took for a call, all its threads. */
  cpu: number;
}

/** Runs a load from a thread of its own, and measures the process that answers it. */
export async function measureOAuth(pid: number, load: OAuthLoad): Promise<OAuthMeasured> {
  const before = cpuOf(pid);
  const worker = new Worker(new URL("oauth-worker.ts", import.meta.url), { workerData: load });
  const measured = await new Promise<Omit<OAuthMeasured, "cpu">>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return { ...measured, cpu: (cpuOf(pid) - before) / measured.calls };
}

/** Milliseconds of processor time of a process (proc(5): utime and stime, in hundredths of a second). */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
