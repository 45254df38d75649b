import { spawn } from "node:child_process";
import process from "node:process";

/** What is measured, and how it is made quick. */
const ALL: readonly [name: string, quick: readonly string[]][] = [
  ["leads-page", ["--rounds", "2", "--seconds", "3"]],
  ["queries", ["--sizes", "10000,100000", "--rounds", "3"]],
  ["writes", ["--rows", "50000", "--rounds", "2", "--seconds", "3"]],
  ["oauth", ["--rounds", "2", "--seconds", "2"]],
  ["mcp", ["--only", "query_leads", "--connections", "10", "--rounds", "2", "--seconds", "2"]],
  ["import", ["--rows", "50000"]],
  ["export", ["--rows", "50000"]],
];

/** Runs the benchmarks of docs/performance.md one after the other, each in a process of its own; `quick` ones are smaller. */
export async function all({ quick, seed }: { quick: boolean; seed: number }): Promise<void> {
  const began = performance.now();
  for (const [name, smaller] of ALL) {
    process.stdout.write(`\n== ${name}\n`);
    const words = ["lab/bench/run.ts", name, "--seed", String(seed), ...(quick ? smaller : [])];
    const child = spawn(process.execPath, words, { stdio: "inherit" });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    if (code !== 0) process.exitCode = 1;
  }
  process.stdout.write(`\nin ${((performance.now() - began) / 60_000).toFixed(1)} minutes\n`);
}
