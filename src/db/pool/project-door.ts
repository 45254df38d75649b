import type { Door } from "./database.ts";

/**
 * Opens a project for work without a member's credential: an authorization code, a refresh token, the command line.
 * The statement behind it must decide what is allowed.
 */
export function serviceDoor(projectId: string): Door {
  return {
    statement: { text: "SELECT set_config('leadgate.project', $1, true)", values: [projectId] },
    admit: () => undefined,
  };
}
