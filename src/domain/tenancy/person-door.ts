import { manages, type Permission, permissionsOfRole, ROLES, type Role } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/pool/database.ts";
import { signedOut } from "./signed-out.ts";

/** A session ends after this time without use. */
export const SESSION_IDLE = "12 hours";

const OPEN = `SELECT role = ANY($3) AS allowed,
    CASE WHEN role = ANY($3) THEN set_config('leadgate.project', project_id, true) END AS opened
  FROM leadgate.membership WHERE person_id = $1 AND project_id = $2`;

/** The same, for a person with a session, which must be valid. */
const OPEN_IN_SESSION = `SELECT m.role = ANY($3) AS allowed,
    CASE WHEN m.role = ANY($3) THEN set_config('leadgate.project', m.project_id, true) END AS opened
  FROM leadgate.session s LEFT JOIN leadgate.membership m ON m.person_id = s.person_id AND m.project_id = $2
  WHERE s.hash = $4 AND s.person_id = $1 AND s.expires_at > leadgate.moment()
    AND s.used_at > leadgate.moment() - $5::interval`;

interface PersonInProject {
  personId: string;
  projectId: string;
  session?: Buffer;
}

/** Opens a project to a signed-in person whose role allows it. For non-members the project does not exist. */
export const personDoor = (person: PersonInProject, ...needs: readonly Permission[]): Door =>
  roleDoor(
    person,
    ROLES.filter((role) => needs.some((each) => permissionsOfRole(role).includes(each))),
  );

/** Opens a project to roles that manage its keys, members and settings. */
export const managerDoor = (person: PersonInProject): Door => roleDoor(person, ROLES.filter(manages));

/** Opens a project to its owners only, for the audit log and deletion. */
export const ownerDoor = (person: PersonInProject): Door => roleDoor(person, ["owner"]);

function roleDoor({ personId, projectId, session }: PersonInProject, roles: readonly Role[]): Door {
  const values = [personId, projectId, roles];
  return {
    statement:
      session === undefined
        ? { text: OPEN, values }
        : { text: OPEN_IN_SESSION, values: [...values, session, SESSION_IDLE] },
    admit(row) {
      if (row === undefined && session !== undefined) throw signedOut();
      if (row === undefined || row.allowed === null)
        throw new Refusal("not_found", "not_found", "No such project.");
      if (row.allowed !== true) {
        throw new Refusal(
          "forbidden",
          "role",
          "Your role in this project does not allow this. Ask an owner.",
        );
      }
    },
  };
}
