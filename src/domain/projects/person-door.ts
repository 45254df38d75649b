import { manages, type Permission, permissionsOfRole, ROLES, type Role } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/database.ts";

const OPEN = `SELECT role = ANY($3) AS allowed,
    CASE WHEN role = ANY($3) THEN set_config('leadgate.project', project_id, true) END AS opened
  FROM leadgate.membership WHERE person_id = $1 AND project_id = $2`;

interface PersonInProject {
  personId: string;
  projectId: string;
}

/** Opens a project to a signed-in person whose role allows it; to others it looks like one that does not exist. */
export const personDoor = (person: PersonInProject, needs: Permission): Door =>
  roleDoor(
    person,
    ROLES.filter((role) => permissionsOfRole(role).includes(needs)),
  );

/** Opens a project to those who manage it: keys, members, settings. */
export const managerDoor = (person: PersonInProject): Door => roleDoor(person, ROLES.filter(manages));

function roleDoor(person: PersonInProject, roles: readonly Role[]): Door {
  return {
    statement: { text: OPEN, values: [person.personId, person.projectId, roles] },
    admit(row) {
      if (row === undefined) throw new Refusal("not_found", "not_found", "No such project.");
      if (row.allowed !== true) {
        throw new Refusal("forbidden", "role", "Your role in this project does not allow it. Ask an owner.");
      }
    },
  };
}
