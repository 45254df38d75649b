import { readdirSync, readFileSync } from "node:fs";
import { median } from "../../support/load.ts";

/** What a process and its children use at a time. */
export interface Sample {
  /** Seconds since the load began. */
  at: number;
  rssMb: number;
  heapMb: number;
  /** Open connections to the ports of the service. */
  connections: number;
  descriptors: number;
}

/** Reads a sample of the process that serves these ports. */
export async function sampleOf(
  pid: number,
  ports: { web: number; api: number },
  at: number,
): Promise<Sample> {
  const metrics = await (await fetch(`http://localhost:${ports.api}/metrics`)).text();
  const heap = Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1] ?? Number.NaN);
  const tree = [pid, ...childrenOf(pid)];
  return {
    at,
    rssMb: sum(tree.map(rssMb)),
    heapMb: heap / 2 ** 20,
    connections: connectionsTo([ports.web, ports.api]),
    descriptors: sum(tree.map((each) => read(() => readdirSync(`/proc/${each}/fd`).length, 0))),
  };
}

/** How resident memory developed: at the end of the warm-up, at the end, and how fast after the warm-up. */
export function growthOf(samples: readonly Sample[], seconds: number) {
  // Five minutes each, or a third of a short run.
  const part = Math.min(300, seconds / 3);
  const between = (from: number, to: number) => samples.filter(({ at }) => at > from && at <= to);
  const rss = (of: readonly Sample[]) => median(of.map(({ rssMb: mb }) => mb));
  const [first, last] = [rss(between(Math.max(0, part - 60), part)), rss(between(seconds - part, seconds))];
  return { first, last, ratio: last / first, slope: slopeOf(between(part, seconds)) * 600 };
}

/** The slope of resident memory by least squares, in megabytes per second. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => sum(values) / values.length;
  const [x, y] = [mean(samples.map(({ at }) => at)), mean(samples.map(({ rssMb: mb }) => mb))];
  const both = sum(samples.map(({ at, rssMb: mb }) => (at - x) * (mb - y)));
  return both / sum(samples.map(({ at }) => (at - x) ** 2));
}

const rssMb = (pid: number): number =>
  read(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024, 0);

function childrenOf(pid: number): number[] {
  const text = read(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"), "");
  return text
    .split(" ")
    .flatMap((child) => (child === "" ? [] : [Number(child), ...childrenOf(Number(child))]));
}

/** Counts connections that the service has not closed: ESTABLISHED and CLOSE_WAIT (proc_net_tcp.txt: 01 and 08). */
function connectionsTo(ports: readonly number[]): number {
  const suffixes = ports.map((port) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`);
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local = "", , state]) => suffixes.includes(local.slice(8)) && (state === "01" || state === "08"),
    ).length;
}

/** Reads of a process that may have just ended. */
function read<T>(from: () => T, instead: T): T {
  try {
    return from();
  } catch {
    return instead;
  }
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
