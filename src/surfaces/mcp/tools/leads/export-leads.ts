import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import type { Export } from "../../../../contract/exports.ts";
import { EXPORT_FORMATS } from "../../../../contract/lists/files.ts";
import { isOngoing } from "../../../../contract/lists/states.ts";
import { getExport } from "../../../../domain/exports/get-export.ts";
import { readExport } from "../../../../domain/exports/read-export.ts";
import { startExport } from "../../../../domain/exports/start-export.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { refusalOf } from "../../../../http/response/failure.ts";
import type { Call } from "../../protocol/registry.ts";
import { outside } from "../shared/outside-text.ts";
import { BriefSort, orderOf, storedFields } from "../shared/sort.ts";
import { composedTool } from "../shared/tool.ts";
import { exactly, oneOf, present } from "../shared/words.ts";
import { Selection, selectionOf } from "./selection.ts";

/** How long to wait for a small file, and how often to check it. */
const PATIENCE_MS = 3_000;
const LOOKS_MS = [100, 200, 400, 800, 1_500];

/** Waits for small files; larger exports are read later by their URI. */
export const exportLeadsTool = composedTool({
  name: "export_leads",
  title: "Export leads",
  description:
    "Makes a file of all leads that match: url opens it for the signed-in user, content is its beginning. With export_id " +
    "alone: the progress of a large one.",
  input: exactly({
    ...Selection,
    sort: BriefSort,
    format: Type.Optional(oneOf(EXPORT_FORMATS, "Default csv.")),
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 200,
        description: "Default all.",
      }),
    ),
    export_id: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  }),
  needs: "leads:read",
  readOnly: false,
  idempotent: false,
  async run(call, { sort, format, columns, export_id: known, ...selection }) {
    if (known !== undefined) {
      const json = await perform(call.service, getExport, call.caller, { id: known });
      return await exportAnswer(call, JSON.parse(json) as Export);
    }
    const input = {
      ...(await selectionOf(call, selection)),
      ...present({ sort: sort?.map(orderOf), format, columns: columns && storedFields(columns) }),
    };
    const { json } = await perform(call.service, startExport, call.caller, input);
    return await exportAnswer(call, await waitedFor(call, JSON.parse(json) as Export));
  },
  links: (answer) => exportLinks(answer as ExportAnswer),
  taskOf: (answer) => {
    const { export_id: id, state } = answer as ExportAnswer;
    return isOngoing(state) ? id : undefined;
  },
});

/** A link to the resource that has the file. */
export function exportLinks({ uri, export_id: id, format, state }: ExportAnswer): object[] {
  const description = `${state}: a file of leads as ${format}`;
  const name = `leads-${id}.${format}`;
  return [{ type: "resource_link", uri, name, description, mimeType: "application/json" }];
}

/** Returns the export once it is done, or as it is when the waiting time is over. */
async function waitedFor(call: Call, started: Export): Promise<Export> {
  let now = started;
  let waited = 0;
  for (const pause of LOOKS_MS) {
    const isOver = !isOngoing(now.state);
    if (isOver || waited + pause > PATIENCE_MS || call.signal.aborted) break;
    await sleep(pause, undefined, { signal: call.signal }).catch(() => undefined);
    waited += pause;
    const seen = await look(call, started.id);
    if (seen === undefined) break;
    now = seen;
    call.progress(now.done, now.total ?? undefined, `${now.state}: ${now.done} leads`);
  }
  return now;
}

/** Returns the export; undefined if the service is too busy to look, as the call itself has not failed then. */
async function look({ service, caller }: Call, id: string): Promise<Export | undefined> {
  try {
    return JSON.parse(await perform(service, getExport, caller, { id })) as Export;
  } catch (error) {
    const { kind } = refusalOf(error);
    if (kind === "too_many" || kind === "unavailable") return undefined;
    throw error;
  }
}

/** Parts of a file that an answer contains: as many bytes as a model reads gladly. */
const CONTENT_BYTES = 4_000;

type ExportAnswer = Awaited<ReturnType<typeof exportAnswer>>;

/** What an assistant is told of an export, with the beginning of the file if it is done. */
export async function exportAnswer(call: Call, record: Export) {
  const { id, state, format, done, total, bytes, expires_at: until } = record;
  const { service, caller } = call;
  const uri = `leads://exports/${id}`;
  const ended = state === "failed" || state === "cancelled";
  const part =
    state === "done"
      ? await perform(service, readExport, caller, { id, offset: 0, most: CONTENT_BYTES })
      : undefined;
  return {
    export_id: id,
    uri,
    state,
    format,
    leads: done,
    ...(total === null || state === "done" ? {} : { leads_total: total }),
    ...(state === "done"
      ? { url: `${service.config.authUrl}/panel/api/${caller.projectId}/v1/exports/${id}/file` }
      : {}),
    ...(bytes === null ? {} : { bytes }),
    ...(until === null ? {} : { expires_at: until }),
    ...(part?.text === undefined || part.text === null
      ? {}
      : { content: outside(part.text), content_is_whole: part.next === null }),
    ...(ended ? { hint: "The export failed. Narrow the filter or try again." } : {}),
    ...(isOngoing(state) ? { hint: "In progress. Call again with this export_id." } : {}),
    untrusted_content: part?.text === undefined || part.text === null ? [] : ["content"],
  };
}
