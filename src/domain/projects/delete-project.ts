import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { record } from "../operation/audit/record.ts";
import { ownerOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import { lockProject } from "./members/lock-project.ts";
import { takeOut } from "./members/remove-member.ts";

const AT_ONCE = 2_000;

/**
 * Tables that may be large are deleted in batches, events before their leads; the rest is deleted with the project.
 */
const LARGE = ["change_item", "event", "lead", "dataset_row"];

/** Removes the remains of deleted projects in batches; after a crash, the next call continues. */
export async function eraseProjects(service: Service): Promise<void> {
  const waiting = await service.db.query<{ id: string }>("SELECT project_id AS id FROM project_to_erase");
  for (const { id } of waiting) {
    let more = true;
    while (more) {
      more = await service.db
        .behind(serviceDoor(id), { lane: "long", owner: id })
        .transaction((tx) => eraseSome(tx, id));
    }
  }
}

/** Deletes one batch; returns whether there may be more. Skips a project that another instance is erasing. */
async function eraseSome(tx: Transaction, projectId: string): Promise<boolean> {
  const mine = await tx.query("SELECT FROM project_to_erase WHERE project_id = $1 FOR UPDATE SKIP LOCKED", [
    projectId,
  ]);
  if (mine.length === 0) return false;
  for (const table of LARGE) {
    const gone = await tx.query(
      `DELETE FROM ${table} WHERE project_id = $1
         AND id IN (SELECT id FROM ${table} WHERE project_id = $1 LIMIT ${AT_ONCE}) RETURNING 1`,
      [projectId],
    );
    if (gone.length > 0) return true;
  }
  await tx.allow(600_000);
  await tx.query('DELETE FROM "authorization" WHERE project_id = $1', [projectId]);
  await tx.query("DELETE FROM authorization_code WHERE project_id = $1", [projectId]);
  await tx.query("DELETE FROM project WHERE project_id = $1", [projectId]);
  // After it, when no lead is left that a running write could change.
  await tx.query("DELETE FROM change WHERE project_id = $1", [projectId]);
  await tx.query("DELETE FROM membership WHERE project_id = $1", [projectId]);
  await tx.query("DELETE FROM consent_choice WHERE project_id = $1", [projectId]);
  await tx.query("DELETE FROM project_to_erase WHERE project_id = $1", [projectId]);
  return false;
}

/**
 * Deletes a project if the caller typed its name. This transaction ends all access at once, however big the project
 * is; its leads are erased afterwards.
 */
export const deleteProject = ownerOperation({
  name: "projects.delete",
  async run({ service, db, caller: { projectId, personId: actor } }, { typed }: { typed: string }) {
    await db.transaction(async (tx) => {
      const roles = await lockProject(tx, projectId);
      if (roles.get(actor) !== "owner") {
        throw new Refusal(
          "forbidden",
          "role",
          "Your role in this project does not allow this. Ask an owner.",
        );
      }
      const [project] = await tx.query<{ name: string }>("SELECT name FROM project WHERE project_id = $1", [
        projectId,
      ]);
      const name = project?.name ?? "";
      if (oneLine(typed) !== oneLine(name)) {
        throw new Refusal(
          "malformed",
          "name_differs",
          "This is not the project's name. Nothing was deleted.",
        );
      }
      for (const personId of roles.keys()) await takeOut(service, tx, { projectId, actor, personId });
      for (const table of ["api_key", "invitation", "authorization_code"]) {
        await tx.query(`DELETE FROM ${table} WHERE project_id = $1`, [projectId]);
      }
      await tx.query("INSERT INTO project_to_erase (project_id) VALUES ($1)", [projectId]);
      const data = { name, members: roles.size };
      await record(service, tx, { action: "project.deleted", projectId, personId: actor, actor, data });
    });
    eraseProjects(service).catch((error: unknown) =>
      service.log.warn({ err: error }, "a deleted project is not erased yet; the next sweep continues"),
    );
  },
});

/** The name as a person reads and types it: any run of white space is one space. */
const oneLine = (text: string): string => text.normalize("NFC").replace(/\s+/gu, " ").trim();
