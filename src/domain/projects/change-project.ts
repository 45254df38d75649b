import { record } from "../operation/audit/record.ts";
import { managerOrOperatorOperation } from "../operation/callers.ts";
import { checkSettings, type ProjectSettings } from "../tenancy/project-settings.ts";
import { lockProject, mayManage } from "./members/lock-project.ts";

const READ = `SELECT name, timezone, default_country AS country, currency FROM project WHERE project_id = $1`;

const WRITE = `UPDATE project SET name = $2, timezone = $3, default_country = $4, currency = $5
  WHERE project_id = $1`;

/**
 * Changes the given settings of a project, from the next call on. Stored leads are unchanged: a phone number keeps
 * the country it was read with. `actor` null is the operator.
 */
export const changeProject = managerOrOperatorOperation({
  name: "projects.change",
  async run({ service, db, caller: { projectId, personId: actor } }, wanted: Partial<ProjectSettings>) {
    await db.transaction(async (tx) => {
      const roles = await lockProject(tx, projectId);
      if (actor !== null) mayManage(roles.get(actor));
      const [before] = await tx.query<ProjectSettings>(READ, [projectId]);
      if (before === undefined) throw new Error("a locked project is not there");
      const after = await checkSettings(tx, { ...before, ...wanted });
      const data = differences(before, after);
      if (Object.keys(data).length === 0) return;
      await tx.query(WRITE, [projectId, after.name, after.timezone, after.country, after.currency]);
      await record(service, tx, { action: "project.changed", projectId, ...(actor && { actor }), data });
    });
  },
});

/** The changed settings, each with `from` and `to`. */
function differences(
  before: ProjectSettings,
  after: ProjectSettings,
): Record<string, { from: string | null; to: string | null }> {
  const settings = Object.keys(before) as (keyof ProjectSettings)[];
  return Object.fromEntries(
    settings
      .filter((setting) => before[setting] !== after[setting])
      .map((setting) => [setting, { from: before[setting], to: after[setting] }]),
  );
}
