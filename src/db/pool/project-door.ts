import type { Door } from "./database.ts";

/**
 * The service's own way into a project, for work that carries no member's credential: an authorization
 * code, a refresh token, the command line. What is allowed must be decided by the statement behind it.
 */
export function serviceDoor(projectId: string): Door {
  return {
    statement: { text: "SELECT set_config('leadgate.project', $1, true)", values: [projectId] },
    admit: () => undefined,
  };
}
