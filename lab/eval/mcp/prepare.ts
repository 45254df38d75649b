import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../test/world.ts";
import { copyProject } from "../data/copy-project.ts";
import { authorize, type Person, registerApplication, signedIn } from "../data/person.ts";
import { plant } from "../data/plant.ts";
import type { Program } from "../data/program.ts";
import { storyOf } from "../data/story.ts";
import type { Job } from "./jobs/job.ts";
import { privateOf, type Slot, type State, saveState } from "./state.ts";

const APPLICATION = "Assistant";

/** Plants the data in a new folder; jobs are added afterwards. */
export async function plantState(program: Program, folder: string, seed: number): Promise<State> {
  const now = new Date();
  const planted = await plant(program, storyOf(now, seed));
  const clientId = await registerApplication(program.authUrl, APPLICATION);
  const port = await freePort();
  const state = { now: now.toISOString(), seed, planted, clientId, port, slots: [] };
  mkdirSync(join(privateOf(folder), "records"), { recursive: true });
  saveState(folder, state);
  return state;
}

/** Signs the manager in, whose assistant is evaluated. */
export const manager = ({ authUrl }: Program, { planted }: State): Promise<Person> =>
  signedIn(authUrl, planted.projectId, planted.members.marina);

/** Adds a copy of the planted project for a job, to which the manager's assistant is granted access. */
export async function addSlot(
  program: Program,
  state: State,
  marina: Person,
  { job, run, number }: { job: Job; run: number; number: number },
): Promise<Slot> {
  const projectId = await copyProject(program.sql, state.planted.projectId);
  const token = await authorize(marina.browser, state.clientId, projectId);
  const slot: Slot = {
    ...{ name: `job-${String(number).padStart(2, "0")}`, run, jobId: job.id, projectId, token },
    door: randomBytes(8).toString("hex"),
  };
  state.slots.push(slot);
  return slot;
}
