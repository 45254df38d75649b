import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { EXPORT_FORMATS, type ExportFormat } from "../../../../contract/lists/files.ts";
import { isOngoing, JOB_STATES, type JobState } from "../../../../contract/lists/states.ts";
import { getExport } from "../../../../domain/exports/get-export.ts";
import { startExport } from "../../../../domain/exports/start-export.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { refusalOf } from "../../../../http/response/failure.ts";
import type { Call } from "../../protocol/registry.ts";
import { composedTool } from "../shared/tool.ts";
import { exactly, maybe, oneOf, present, text, whole } from "../shared/words.ts";
import { Selection, toSelection } from "./selection.ts";

interface ExportRecord {
  id: string;
  state: JobState;
  format: ExportFormat;
  done: number;
  total: number | null;
  bytes: number | null;
  expires_at: string | null;
}

/** How long to wait for a small file, and how often to check it. */
const PATIENCE_MS = 3_000;
const LOOKS_MS = [100, 200, 400, 800, 1_500];

/** Waits for small files; larger exports are read later by their URI. */
export const exportLeadsTool = composedTool({
  name: "export_leads",
  title: "Export leads",
  description:
    "Creates a file of all leads that match, however many, and returns a link to the resource with the file. A small file " +
    "is ready at once; for a large one, the resource shows the progress. Files are kept until expires_at.",
  input: exactly({
    ...Selection,
    sort: Type.Optional(
      Type.Array(
        exactly({
          field: Type.String({ minLength: 1, maxLength: 100, description: "A field." }),
          dir: Type.Optional(oneOf(["asc", "desc"], "default asc")),
        }),
        { maxItems: 3, description: "What to sort by; default newest first." },
      ),
    ),
    format: Type.Optional(oneOf(EXPORT_FORMATS, "Default csv; ndjson has one lead per line.")),
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 200,
        description: "Fields in this order, including custom.<key>; default every field.",
      }),
    ),
  }),
  output: Type.Object({
    export_id: text("The export's id, exp_…"),
    uri: text("The resource with its progress and content."),
    state: oneOf(JOB_STATES, "The last three are final."),
    format: oneOf(EXPORT_FORMATS, "The format of the file."),
    leads_done: whole("How many leads are in it so far."),
    leads_total: maybe(whole("How many there will be, once known.")),
    bytes: maybe(whole("The file's size, once it is done.")),
    expires_at: maybe(text("Until when it is kept: ISO 8601 with offset.")),
    hint: text("What to do next."),
  }),
  needs: "leads:read",
  async run(call, { sort, format, columns, ...selection }) {
    const input = { ...toSelection(selection), ...present({ sort, format, columns }) };
    const { json } = await perform(call.service, startExport, call.caller, input);
    return answerOf(await waitedFor(call, JSON.parse(json) as ExportRecord));
  },
  links(answer) {
    const { uri, export_id: id, format, state } = answer as ReturnType<typeof answerOf>;
    const description = `${state}: a file of leads as ${format}`;
    return [
      {
        type: "resource_link",
        uri,
        name: `leads-${id}.${format}`,
        description,
        mimeType: "application/json",
      },
    ];
  },
});

/** Returns the export once it is done, or as it is when the waiting time is over. */
async function waitedFor(call: Call, started: ExportRecord): Promise<ExportRecord> {
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
async function look({ service, caller }: Call, id: string): Promise<ExportRecord | undefined> {
  try {
    return JSON.parse(await perform(service, getExport, caller, { id })) as ExportRecord;
  } catch (error) {
    const { kind } = refusalOf(error);
    if (kind === "too_many" || kind === "unavailable") return undefined;
    throw error;
  }
}

function answerOf({ id, state, format, done, total, bytes, expires_at: until }: ExportRecord) {
  const uri = `leads://exports/${id}`;
  const ended = state === "failed" || state === "cancelled";
  return {
    export_id: id,
    uri,
    state,
    format,
    leads_done: done,
    ...(total === null ? {} : { leads_total: total }),
    ...(bytes === null ? {} : { bytes }),
    ...(until === null ? {} : { expires_at: until }),
    hint: ended
      ? "The export failed. Narrow the filter or try again."
      : state === "done"
        ? `Read the resource ${uri} for the content.`
        : `The export is in progress. Read the resource ${uri} for its progress, and for the content once it is done.`,
  };
}
