import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

/** A folder for the profiles of a process that is started with `env`. */
export function profiled(): { env: Record<string, string>; read(): Profile; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-profile-"));
  return {
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` },
    /** The largest one; commands that ran with the same settings have small ones. */
    read() {
      const files = readdirSync(folder).map((name) => join(folder, name));
      const [largest = ""] = files.sort((a, b) => statSync(b).size - statSync(a).size);
      return JSON.parse(readFileSync(largest, "utf8")) as Profile;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Returns the share of the busy time, after the first `skipSeconds`, that the functions have for which `isIts` is true, with what
 * they call. `isIts` gets a function's name and its file.
 */
export function shareOf(
  { nodes, samples, timeDeltas }: Profile,
  skipSeconds: number,
  isIts: (name: string, file: string) => boolean,
): number {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const its = new Map<number, boolean>();
  const belongs = (id: number | undefined): boolean => {
    if (id === undefined) return false;
    const known = its.get(id);
    if (known !== undefined) return known;
    const { functionName = "", url = "" } = frames.get(id) ?? {};
    const does = isIts(functionName, url) || belongs(callers.get(id));
    its.set(id, does);
    return does;
  };
  let [at, busy, own] = [0, 0, 0];
  for (const [n, id] of samples.entries()) {
    const delta = timeDeltas[n] ?? 0;
    at += delta;
    if (at < skipSeconds * 1e6 || frames.get(id)?.functionName === "(idle)") continue;
    busy += delta;
    if (belongs(id)) own += delta;
  }
  return own / busy;
}
