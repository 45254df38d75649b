import type { Role } from "../../core/permission.ts";
import { record } from "../operation/audit/record.ts";
import { managerOrOperatorOperation } from "../operation/callers.ts";
import { checkSettings, connectRolesOf, type ProjectSettings } from "../tenancy/project-settings.ts";
import { lockProject, mayManage } from "./members/lock-project.ts";

/** The settings to change. */
type ProjectChanges = Partial<ProjectSettings> & {
  connectRoles?: readonly string[];
  /** Whether viewers may take leads out in bulk. */
  viewersExport?: boolean;
  /** Whether writes that give a lead an e-mail or a phone of another lead are refused. */
  refusesShared?: boolean;
};

/** All settings of a project, as they are stored and audited. */
interface Stored extends ProjectSettings {
  connect_roles: Role[];
  viewers_export: boolean;
  refuses_shared: boolean;
}

const READ = `SELECT name, timezone, default_country AS country, currency, connect_roles, viewers_export,
    refuses_shared FROM project WHERE project_id = $1`;

const WRITE = `UPDATE project SET name = $2, timezone = $3, default_country = $4, currency = $5, connect_roles = $6,
    viewers_export = $7, refuses_shared = $8
  WHERE project_id = $1`;

/**
 * Changes the given settings of a project, from the next call on. Stored leads are unchanged: a phone number keeps
 * the country it was read with; and applications stay connected. `actor` null is the operator.
 */
export const changeProject = managerOrOperatorOperation({
  name: "projects.change",
  async run(
    { service, db, caller: { projectId, personId: actor } },
    { connectRoles, viewersExport, refusesShared, ...wanted }: ProjectChanges,
  ) {
    await db.transaction(async (tx) => {
      const roles = await lockProject(tx, projectId);
      if (actor !== null) mayManage(roles.get(actor));
      const [before] = await tx.query<Stored>(READ, [projectId]);
      if (before === undefined) throw new Error("a locked project is not there");
      const after: Stored = {
        ...(await checkSettings(tx, { ...before, ...wanted })),
        connect_roles: connectRolesOf(connectRoles ?? before.connect_roles),
        viewers_export: viewersExport ?? before.viewers_export,
        refuses_shared: refusesShared ?? before.refuses_shared,
      };
      const data = differences(before, after);
      if (Object.keys(data).length === 0) return;
      const { name, timezone, country, currency, connect_roles, viewers_export, refuses_shared } = after;
      const place = [timezone, country, currency];
      const rules = [connect_roles, viewers_export, refuses_shared];
      await tx.query(WRITE, [projectId, name, ...place, ...rules]);
      await record(service, tx, { action: "project.changed", projectId, ...(actor && { actor }), data });
    });
  },
});

type Value = string | readonly string[] | boolean | null;

/** The changed settings, each with `from` and `to`. */
function differences(before: Stored, after: Stored): Record<string, { from: Value; to: Value }> {
  const settings = Object.keys(before) as (keyof Stored)[];
  return Object.fromEntries(
    settings
      .filter((setting) => String(before[setting]) !== String(after[setting]))
      .map((setting) => [setting, { from: before[setting], to: after[setting] }]),
  );
}
