import { ACTIVITY } from "./activity.ts";
import { CHANGING } from "./changing.ts";
import { COMPARING } from "./comparing.ts";
import { COUNTING } from "./counting.ts";
import { DATA } from "./data.ts";
import type { Job } from "./job.ts";
import { LISTS } from "./lists.ts";

/** All jobs, half of them in English and half in Portuguese. */
export const JOBS: readonly Job[] = [
  ...[...COUNTING, ...COMPARING, ...ACTIVITY],
  ...[...CHANGING, ...LISTS, ...DATA],
];
