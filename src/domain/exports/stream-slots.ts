import type { Service } from "../operation/service/service.ts";

const streaming = new WeakMap<Service["db"]["pool"], Map<string, number>>();

/**
 * Counts a stream of a project in this process. Returns a function that ends it and may be called twice; undefined if the
 * project already streams as many exports as it may. The connections themselves are shared by the export lane.
 */
export function enter({ db, config }: Service, projectId: string): (() => void) | undefined {
  const projects = streaming.get(db.pool) ?? new Map<string, number>();
  streaming.set(db.pool, projects);
  const own = projects.get(projectId) ?? 0;
  if (own >= config.exports.streamsPerProject) return undefined;
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
