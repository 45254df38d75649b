import { existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { openProgram } from "../data/program.ts";
import { approvePending } from "./approve.ts";
import { JOBS } from "./jobs/all.ts";
import { addSlot, manager, plantState } from "./prepare.ts";
import { startRecorder } from "./recorder.ts";
import { jobOf, readToolListOnce } from "./score.ts";
import { privateOf, readState, saveState, writeWork } from "./state.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Prepares all jobs in a folder, so often as there are runs, and serves them until the process is stopped. A folder that
 * was prepared before is served again, with everything that was done in it.
 */
export async function serve(
  given: string,
  { runs, seed, only }: { runs: number; seed: number; only: readonly string[] },
): Promise<void> {
  const folder = resolve(given);
  if (existsSync(folder) && readState(folder) === undefined && existsSync(privateOf(folder)))
    throw new Error(`${folder} was not prepared to the end: delete it, or name another folder`);
  mkdirSync(privateOf(folder), { recursive: true, mode: 0o700 });
  await using program = await openProgram(privateOf(folder));
  const known = readState(folder);
  const state = known ?? (await plantState(program, folder, seed));
  const marina = await manager(program, state);
  const wanted = JOBS.flatMap((job, n) =>
    only.length === 0 || only.includes(job.id) ? [{ job, number: n + 1 }] : [],
  );
  for (let run = 1; run <= runs; run += 1) {
    for (const { job, number } of wanted) {
      if (state.slots.some((slot) => slot.run === run && slot.jobId === job.id)) continue;
      writeWork(folder, state, await addSlot(program, state, marina, { job, run, number }), job.text);
      saveState(folder, state);
      say(`run ${run}, job ${number} is prepared`);
    }
  }
  await program.sql("ANALYZE");
  await using _recorder = await startRecorder({
    ...{ state, folder, authUrl: program.authUrl },
    onResult: (slot, text) => approvePending(marina, jobOf(slot.jobId), text),
  });
  const list = await readToolListOnce(folder, program.authUrl, state);
  say(
    `Ready: ${state.slots.length} jobs in ${folder}/run-*, tool list ${list.hash}. Ctrl C stops; the next start continues.`,
  );
  await new Promise<void>((stop) => {
    process.once("SIGINT", () => stop());
    process.once("SIGTERM", () => stop());
  });
}
