import type { Readable } from "node:stream";
import { LeadsExport } from "../../contract/nouns/query.ts";
import { Refusal } from "../../core/refusal.ts";
import { actorOf } from "../operation/actor.ts";
import { record } from "../operation/audit/record.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import type { Service } from "../operation/service/service.ts";
import { openFile, planFile } from "./open-export-file.ts";

/** A file of leads in the making; destroying the stream stops the work behind it. */
export interface LeadFile {
  stream: Readable;
  format: NonNullable<LeadsExport["format"]>;
}

/** How many exports an instance streams at once: each holds a connection until its reader is done. */
const STREAMS = 4;

const streaming = new WeakMap<Service["db"]["pool"], number>();

/** Streams every matching lead. 503 if this instance already streams as many exports as it may. */
export const exportLeads = memberOperation({
  name: "leads.export",
  needs: "leads:read",
  exports: true,
  input: LeadsExport,
  async run(context, input): Promise<LeadFile> {
    const { service, db, caller } = context;
    const leave = enter(service.db.pool);
    if (leave === undefined) {
      const text =
        "Too many exports are running. Try again shortly, or start a background export with POST /api/v1/exports.";
      return await refuse(db, new Refusal("unavailable", "too_many_exports", text, { retryAfter: 5 }));
    }
    try {
      const plan = await planFile(context, input);
      const actor = (await actorOf(db, caller)).id;
      const { format = "csv" } = input;
      const entry = { action: "leads.exported", projectId: caller.projectId, data: { format } };
      await record(service, service.db, { ...entry, ...(actor === null ? {} : { actor }) });
      const stream = await openFile(context, plan);
      stream.once("close", leave);
      if (stream.closed) leave();
      return { stream, format };
    } catch (error) {
      leave();
      throw error;
    }
  },
});

/**
 * Takes one of the slots for streams. Returns a function that releases it and may be called twice; undefined if all
 * are taken.
 */
function enter(pool: Service["db"]["pool"]): (() => void) | undefined {
  const now = streaming.get(pool) ?? 0;
  if (now >= STREAMS) return undefined;
  streaming.set(pool, now + 1);
  let inside = true;
  return () => {
    if (inside) streaming.set(pool, (streaming.get(pool) ?? 1) - 1);
    inside = false;
  };
}
