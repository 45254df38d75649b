import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { openProgram } from "../data/program.ts";
import { approvePending } from "./approve.ts";
import { JOBS } from "./jobs/all.ts";
import type { Job } from "./jobs/job.ts";
import { answerPath } from "./outcome-of.ts";
import { addSlot, manager, plantState } from "./prepare.ts";
import { startRecorder } from "./recorder.ts";
import { type Scored, tableOf } from "./report.ts";
import { factsIn, jobOf, keepToolList, scoreSlot } from "./score.ts";
import { privateOf, type Slot, type State, saveState, urlOf, workOf } from "./state.ts";

const FOLDER = resolve("data/eval-mcp");
const JOB_MS = 10 * 60_000;

/** Runs a command for each job, one after the other, and scores what it did and printed. */
export async function runClient(
  command: string,
  { seed, only }: { seed: number; only: readonly string[] },
): Promise<Scored[]> {
  if (isServed(FOLDER)) throw new Error(`another run uses ${FOLDER}`);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(privateOf(FOLDER), { recursive: true });
  await using program = await openProgram(privateOf(FOLDER));
  const state = await plantState(program, FOLDER, seed);
  const facts = factsIn(state);
  const marina = await manager(program, state);
  await using _recorder = await startRecorder({
    ...{ state, folder: FOLDER, authUrl: program.authUrl },
    onResult: (slot, text) => approvePending(marina, jobOf(slot.jobId), text),
  });
  const scores: Scored[] = [];
  for (const [n, job] of JOBS.entries()) {
    if (only.length > 0 && !only.includes(job.id)) continue;
    const slot = await addSlot(program, state, marina, { job, run: 1, number: n + 1 });
    saveState(FOLDER, state);
    // PostgreSQL looks at a new project by itself only after a minute, and plans its queries badly until then.
    await program.sql("ANALYZE store.lead, store.event");
    mkdirSync(workOf(FOLDER, slot), { recursive: true });
    writeFileSync(answerPath(FOLDER, slot), await answerOf(command, state, slot, job));
    scores.push(await scoreSlot(program, facts, { state, folder: FOLDER, slot }));
    process.stderr.write(`${slot.name} ${job.id}: ${scores.at(-1)?.verdict}\n`);
  }
  const list = await keepToolList(FOLDER, program.authUrl, state);
  process.stdout.write(`${tableOf(scores, list)}\n`);
  return scores;
}

/** Whether the database of a folder is running: the first line of postmaster.pid is its process. */
function isServed(folder: string): boolean {
  const path = join(privateOf(folder), "data", "postgres", "postmaster.pid");
  try {
    process.kill(Number(readFileSync(path, "utf8").split("\n")[0]), 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs the command in the job's folder; returns what it printed, nothing if it failed or took too long. */
async function answerOf(command: string, state: State, slot: Slot, job: Job): Promise<string> {
  const child = spawn(command, {
    shell: true,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: JOB_MS,
    env: {
      ...process.env,
      LEADGATE_MCP_URL: urlOf(state, slot),
      LEADGATE_TOKEN: slot.token,
      JOB_TEXT: job.text,
      JOB_LANGUAGE: job.language,
      JOB_ID: slot.name,
    },
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return code === 0 ? printed : "";
}
