import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Planted } from "../data/plant.ts";

/** A job that an assistant can work on: a project of its own, and the path under which the recorder lets it in. */
export interface Slot {
  /** job-01 in run-1: names that say nothing about what is checked. */
  name: string;
  run: number;
  jobId: string;
  projectId: string;
  token: string;
  /** An unguessable part of the URL. */
  door: string;
}

/** What a folder of prepared jobs keeps, so that it can be served again and scored later. */
export interface State {
  /** When it was planted. */
  now: string;
  seed: number;
  planted: Planted;
  clientId: string;
  /** The port of the recorder. */
  port: number;
  slots: Slot[];
}

/** The part of a folder that agents have no business in: it has the facts. */
export const privateOf = (folder: string): string => join(folder, "private");

/** The folder that an agent works in. */
export const workOf = (folder: string, { run, name }: Slot): string => join(folder, `run-${run}`, name);

/** The file with the recorded calls of a job. */
export const recordOf = (folder: string, { run, name }: Slot): string =>
  join(privateOf(folder), "records", `run-${run}-${name}.jsonl`);

export const urlOf = ({ port }: State, { door }: Slot): string => `http://localhost:${port}/${door}/mcp`;

export function saveState(folder: string, state: State): void {
  writeFileSync(join(privateOf(folder), "state.json"), JSON.stringify(state), { mode: 0o600 });
}

export function readState(folder: string): State | undefined {
  try {
    return JSON.parse(readFileSync(join(privateOf(folder), "state.json"), "utf8")) as State;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const SCRIPT = new URL("./tools-script.js", import.meta.url);

/** Writes what an agent receives: the job's text and a script that calls the tools. */
export function writeWork(folder: string, state: State, slot: Slot, text: string): void {
  const work = workOf(folder, slot);
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, "job.txt"), `${text}\n`);
  writeFileSync(join(work, "tools"), readFileSync(SCRIPT, "utf8").replace("{{url}}", urlOf(state, slot)));
  chmodSync(join(work, "tools"), 0o755);
}
