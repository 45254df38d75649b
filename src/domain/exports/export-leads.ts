import type { Readable } from "node:stream";
import { LeadsExport } from "../../contract/nouns/query.ts";
import { Refusal } from "../../core/refusal.ts";
import { actorOf } from "../operation/actor.ts";
import { record } from "../operation/audit/record.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { openFile, planFile } from "./open-export-file.ts";
import { enter, type Full } from "./stream-slots.ts";

/** A file of leads in the making; destroying the stream stops the work behind it. */
export interface LeadFile {
  stream: Readable;
  format: NonNullable<LeadsExport["format"]>;
}

const BACKGROUND = "or start a background export with POST /api/v1/exports.";

const FULL: Readonly<Record<Full, () => Refusal>> = {
  project: () =>
    new Refusal(
      "too_many",
      "too_many_exports",
      `This project already streams as many exports as it may. Try again when one has ended, ${BACKGROUND}`,
      { retryAfter: 5 },
    ),
  process: () =>
    new Refusal(
      "unavailable",
      "too_many_exports",
      `Too many exports are running. Try again shortly, ${BACKGROUND}`,
      { retryAfter: 5 },
    ),
};

/**
 * Streams every matching lead. 429 if the project already streams as many exports as it may from this instance, 503 if all
 * projects together do.
 */
export const exportLeads = memberOperation({
  name: "leads.export",
  needs: "leads:read",
  exports: true,
  input: LeadsExport,
  async run(context, input): Promise<LeadFile> {
    const { service, db, caller } = context;
    const leave = enter(service, caller.projectId);
    if (typeof leave === "string") return await refuse(db, FULL[leave]());
    try {
      const plan = await planFile(context, input);
      const actor = (await actorOf(db, caller)).id;
      const { format = "csv" } = input;
      const entry = { action: "leads.exported", projectId: caller.projectId, data: { format } };
      await record(service, service.db, { ...entry, ...(actor === null ? {} : { actor }) });
      const slowest = service.config.exports.slowestReader;
      return { stream: await openFile(context, plan, { slowest, onCopied: leave }), format };
    } catch (error) {
      leave();
      throw error;
    }
  },
});
