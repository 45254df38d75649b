// Runs a benchmark by name: npm run bench -- leads-page [--fresh] [--seconds 5] [--rounds 5]
import process from "node:process";
import { parseArgs } from "node:util";
import { leadsPage } from "./leads-page.ts";

const BENCHMARKS: Record<
  string,
  (options: { fresh: boolean; seconds: number; rounds: number }) => Promise<void>
> = {
  "leads-page": leadsPage,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fresh: { type: "boolean", default: false },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "5" },
  },
});
const run = BENCHMARKS[positionals[0] ?? ""];
if (run === undefined) {
  process.stderr.write(`Name a benchmark: ${Object.keys(BENCHMARKS).join(", ")}\n`);
  process.exitCode = 2;
} else {
  await run({ fresh: values.fresh, seconds: Number(values.seconds), rounds: Number(values.rounds) });
}
