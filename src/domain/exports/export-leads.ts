import type { Readable } from "node:stream";
import { LeadsExport } from "../../contract/leads/query.ts";
import { Refusal } from "../../core/refusal.ts";
import { actorOf } from "../operation/actor.ts";
import { record } from "../operation/audit/record.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { openFile, planFile } from "./open-export-file.ts";
import { enter } from "./stream-slots.ts";

/** A file of leads in the making; destroying the stream stops the work behind it. */
export interface LeadFile {
  stream: Readable;
  format: NonNullable<LeadsExport["format"]>;
}

const FULL =
  "This project already streams as many exports as it may. Try again when one has ended, or start a background export with POST /api/v1/exports.";

/** Streams every matching lead. 429 if the project already streams as many exports as it may from this instance. */
export const exportLeads = memberOperation({
  name: "leads.export",
  needs: "leads:read",
  exports: true,
  input: LeadsExport,
  async run(context, input): Promise<LeadFile> {
    const { service, db, caller } = context;
    const leave = enter(service, caller.projectId);
    if (leave === undefined)
      return await refuse(db, new Refusal("too_many", "too_many_exports", FULL, { retryAfter: 5 }));
    try {
      const plan = await planFile(context, input);
      const actor = (await actorOf(db, caller)).id;
      const { exports, exportPatienceMs: patienceMs } = service.config;
      const reading = { slowest: exports.slowestReader, patienceMs, onCopied: leave };
      const stream = await openFile(context, plan, reading);
      const { format = "csv" } = input;
      const entry = { action: "leads.exported", projectId: caller.projectId, data: { format } };
      try {
        // After the file has a connection, which may be refused, and before anyone reads it.
        await record(service, service.db, { ...entry, ...(actor === null ? {} : { actor }) });
      } catch (error) {
        stream.destroy();
        throw error;
      }
      return { stream, format };
    } catch (error) {
      leave();
      throw error;
    }
  },
});
