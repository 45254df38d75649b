import { manages, type Needs, ROLES, type Role, rolesWith } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/pool/database.ts";
import { doorSql } from "../../db/statements/door.ts";
import { mayExportSql, withheldFromViewers } from "./export-withheld.ts";
import { signedOut } from "./signed-out.ts";

/** A session ends after this time without use. */
export const SESSION_IDLE = "12 hours";

const opening = (allowed: string): string =>
  doorSql(
    `SELECT ${allowed} AS allowed, role = ANY($3) AS fits
  FROM leadgate.membership m WHERE person_id = $1 AND project_id = $2`,
    "$2",
  );

/**
 * The same, for a person with a session, which must be valid. Without OFFSET 0, Citus reads no role for an expression over an
 * outer join with a table that only the coordinator has.
 */
const openingInSession = (allowed: string): string =>
  doorSql(
    `SELECT s.id AS session, ${allowed} AS allowed, role = ANY($3) AS fits
  FROM leadgate.session s LEFT JOIN leadgate.membership m ON m.person_id = s.person_id AND m.project_id = $2
  WHERE s.hash = $4 AND s.person_id = $1 AND s.expires_at > leadgate.moment()
    AND s.used_at > leadgate.moment() - $5::interval OFFSET 0`,
    "$2",
  );

const FITS = "m.role = ANY($3)";
const FITS_AND_EXPORTS = `(${FITS} AND ${mayExportSql("m.role", "$2")})`;

const [OPEN, OPEN_TO_EXPORT] = [FITS, FITS_AND_EXPORTS].map(opening) as [string, string];
const [OPEN_IN_SESSION, OPEN_IN_SESSION_TO_EXPORT] = [FITS, FITS_AND_EXPORTS].map(openingInSession) as [
  string,
  string,
];

interface PersonInProject {
  personId: string;
  projectId: string;
  session?: Buffer;
}

/** Opens a project to a signed-in person whose role allows it. For non-members the project does not exist. */
export const personDoor = (person: PersonInProject, needs: Needs): Door =>
  roleDoor(person, rolesWith(needs), needs.exports);

/** Opens a project to roles that manage its keys, members and settings. */
export const managerDoor = (person: PersonInProject): Door => roleDoor(person, ROLES.filter(manages));

/** Opens a project to its owners only, for the audit log and deletion. */
export const ownerDoor = (person: PersonInProject): Door => roleDoor(person, ["owner"]);

function roleDoor(
  { personId, projectId, session }: PersonInProject,
  roles: readonly Role[],
  exports = false,
): Door {
  const values = [personId, projectId, roles];
  return {
    statement:
      session === undefined
        ? { text: exports ? OPEN_TO_EXPORT : OPEN, values }
        : {
            text: exports ? OPEN_IN_SESSION_TO_EXPORT : OPEN_IN_SESSION,
            values: [...values, session, SESSION_IDLE],
          },
    who: (row) => ({
      ...(session === undefined
        ? { credential: "person", id: personId }
        : { credential: "session", id: String(row.session) }),
      ...(row.allowed === null ? {} : { project: projectId }),
    }),
    admit(row) {
      if (row === undefined && session !== undefined) throw signedOut();
      if (row === undefined || row.allowed === null)
        throw new Refusal("not_found", "not_found", "No such project.");
      if (row.allowed === true) return;
      if (row.fits === true) throw withheldFromViewers();
      throw new Refusal("forbidden", "role", "Your role in this project does not allow this. Ask an owner.");
    },
  };
}
