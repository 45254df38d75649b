import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { openProgram } from "../data/program.ts";
import { makeIndexes, withoutIndexes } from "../data/without-indexes.ts";
import { approvePending } from "./approve.ts";
import { JOBS } from "./jobs/all.ts";
import type { Job } from "./jobs/job.ts";
import { addSlot, manager, plantState } from "./prepare.ts";
import { startRecorder } from "./recorder.ts";
import { jobOf, keepToolList } from "./score.ts";
import { privateOf, readState, type State, saveState, writeWork } from "./state.ts";

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
  const stop = stopSignal();
  await using program = await openProgram(privateOf(folder));
  const known = readState(folder);
  const state = known ?? (await plantState(program, folder, seed));
  const marina = await manager(program, state);
  const indexes = join(privateOf(folder), "indexes.json");
  await makeIndexes(program.sql, indexes);
  const missing = missingSlots(state, runs, only);
  if (missing.length > 0) {
    await withoutIndexes(program.sql, indexes, async () => {
      for (const { job, run, number } of missing) {
        if (stop.aborted) return;
        writeWork(folder, state, await addSlot(program, state, marina, { job, run, number }), job.text);
        saveState(folder, state);
        say(`run ${run}, job ${number} is prepared`);
      }
    });
    if (stop.aborted) return;
    await program.sql("VACUUM ANALYZE store.lead, store.event");
  }
  await using _recorder = await startRecorder({
    ...{ state, folder, authUrl: program.authUrl },
    onResult: (slot, text) => approvePending(marina, jobOf(slot.jobId), text),
  });
  const list = await keepToolList(folder, program.authUrl, state);
  say(
    `Ready: ${state.slots.length} jobs in ${folder}/run-*, tool list ${list.hash}. Ctrl C stops; the next start continues.`,
  );
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve));
}

/** Returns the jobs that the folder does not have yet, with their runs. */
function missingSlots(
  { slots }: State,
  runs: number,
  only: readonly string[],
): { job: Job; run: number; number: number }[] {
  const wanted = JOBS.map((job, n) => ({ job, number: n + 1 })).filter(
    ({ job }) => only.length === 0 || only.includes(job.id),
  );
  return Array.from({ length: runs }, (_, n) => n + 1)
    .flatMap((run) => wanted.map((each) => ({ ...each, run })))
    .filter(({ job, run }) => !slots.some((slot) => slot.run === run && slot.jobId === job.id));
}

/** Aborted by the first SIGINT or SIGTERM, so that the database is stopped properly also while jobs are prepared. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
