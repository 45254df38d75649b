import { type Permission, permissionsOfRole, ROLES } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/database.ts";

const OPEN = `SELECT role = ANY($3) AS allowed,
    CASE WHEN role = ANY($3) THEN set_config('leadgate.project', project_id, true) END AS opened
  FROM leadgate.membership WHERE person_id = $1 AND project_id = $2`;

/** Opens a project to a signed-in person whose role allows it; to others it looks like one that does not exist. */
export function personDoor(person: { personId: string; projectId: string }, needs: Permission): Door {
  const roles = ROLES.filter((role) => permissionsOfRole(role).includes(needs));
  return {
    statement: { text: OPEN, values: [person.personId, person.projectId, roles] },
    admit(row) {
      if (row === undefined) throw new Refusal("not_found", "not_found", "No such project.");
      if (row.allowed !== true) throw new Refusal("forbidden", "role", "Your role in this project does not allow it.");
    },
  };
}
