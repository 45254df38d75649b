import type { Service } from "../operation/service/service.ts";

/** How many exports a process streams at once: each holds a connection until its reader has taken nearly all of it. */
const STREAMS = 4;

/** Why there is no slot: the project streams as many exports as it may, or the process does. */
export type Full = "project" | "process";

const streaming = new WeakMap<Service["db"]["pool"], Map<string, number>>();

/**
 * Takes one of the slots for streams; no project can take all of them. Returns a function that releases it and may be
 * called twice, or why there is none.
 */
export function enter({ db, config }: Service, projectId: string): (() => void) | Full {
  const most = config.exports.streamsPerProject;
  const projects = streaming.get(db.pool) ?? new Map<string, number>();
  streaming.set(db.pool, projects);
  const own = projects.get(projectId) ?? 0;
  if (own >= most) return "project";
  const all = projects.values().reduce((sum, count) => sum + count, 0);
  if (all >= Math.max(STREAMS, most + 1)) return "process";
  projects.set(projectId, own + 1);
  let inside = true;
  return () => {
    if (!inside) return;
    inside = false;
    const left = (projects.get(projectId) ?? 1) - 1;
    if (left > 0) projects.set(projectId, left);
    else projects.delete(projectId);
  };
}
