// Runs an evaluation by name; docs/evaluation.md explains it.
// npm run eval -- mcp --client "COMMAND" [--only won-total,which-ana] runs the command for each job and scores it.
// npm run eval -- mcp --serve FOLDER [--runs 3] prepares jobs for agents and serves them until it is stopped.
// npm run eval -- mcp --score FOLDER [--all] [--record --agents "WHO"] scores what the agents did, while it is served or later.
// npm run eval -- mcp --jobs prints the jobs. --seed 1 plants other data.
import process from "node:process";
import { parseArgs } from "node:util";
import { JOBS } from "./mcp/jobs/all.ts";
import { runClient } from "./mcp/run-client.ts";
import { score } from "./mcp/score.ts";
import { serve } from "./mcp/serve.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    client: { type: "string" },
    serve: { type: "string" },
    score: { type: "string" },
    jobs: { type: "boolean", default: false },
    runs: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    all: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    agents: { type: "string", default: "" },
  },
});

const { client, serve: served, score: scored, record, agents, all } = values;
const only = values.only.split(",").filter(Boolean);
const seed = Number(values.seed);

if (positionals[0] !== "mcp") usage("Name an evaluation: mcp");
else if (client !== undefined) await runClient(client, { seed, only });
else if (served !== undefined) await serve(served, { runs: Number(values.runs), seed, only });
else if (record && agents === "") usage('Say who worked on the jobs: --agents "three agents of …"');
else if (scored !== undefined) await score(scored, { record, agents, all });
else if (values.jobs)
  for (const { id, language, text } of JOBS) process.stdout.write(`${id} (${language}): ${text}\n\n`);
else usage("Give --client, --serve, --score or --jobs.");

function usage(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
