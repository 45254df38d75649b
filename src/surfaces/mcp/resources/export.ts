import { isOngoing, type JobState } from "../../../contract/lists/states.ts";
import { listExports } from "../../../domain/exports/list-exports.ts";
import { readExport } from "../../../domain/exports/read-export.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Call, Completion, ResourceTemplate } from "../protocol/registry.ts";
import { fitRecord, RECORD_BYTES } from "../tools/shared/size.ts";
import { asJson, JSON_TYPE, unlessMissing } from "./json.ts";
import { matching } from "./matching.ts";
import { offsetOf, uriReader } from "./uri.ts";

/** Bytes of the file in one answer: in JSON, quotes and line breaks take two. */
const PART_BYTES = 24_000;
const MOST = 100;

interface ExportRecord {
  id: string;
  state: JobState;
  format: string;
  expires_at: string | null;
}

export const exportResource: ResourceTemplate = {
  uriTemplate: "leads://exports/{export_id}",
  name: "export",
  title: "An export",
  description:
    "The progress of an export and, once it is done, its file as text, in parts; next is the URI of the next part.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  match: uriReader("leads://exports/{export_id}", "offset"),
  async read({ service, caller }, { export_id: id = "", ...rest }) {
    const offset = offsetOf(rest);
    const asked = { id, offset: offset ?? 0, most: PART_BYTES };
    const part = await unlessMissing(perform(service, readExport, caller, asked));
    if (part === undefined || offset === undefined) return undefined;
    const { json, text, next } = part;
    const record = fitRecord(JSON.parse(json) as ExportRecord & Record<string, unknown>, RECORD_BYTES / 2)
      .record as unknown as ExportRecord;
    if (text === null) return asJson({ export: record, truncated: false, hint: whyNoFile(record) });
    return asJson({
      export: record,
      content: text,
      offset,
      truncated: next !== null,
      ...(next === null ? {} : { next: `leads://exports/${id}?offset=${next}` }),
      file: `${service.config.baseUrl}/api/v1/exports/${id}/file`,
      hint: "file is the URL of the whole file, for a program with an API key of this project; content is a part of it.",
      untrusted_content: ["content"],
    });
  },
  complete: async (call, _variable, typed) => await completeExport(call, typed),
};

function whyNoFile({ state }: ExportRecord): string {
  if (isOngoing(state)) return "The export is in progress. Read this URI again in a moment.";
  if (state === "done") return "The file has been deleted. Start a new export.";
  return `The export has no file because it is ${state}. Start a new one.`;
}

/** Returns the ids of the newest exports that match by id, state or format. */
async function completeExport({ service, caller }: Call, typed: string): Promise<Completion> {
  const { json, nextCursor } = await perform(service, listExports, caller, { limit: MOST });
  return matching(typed, JSON.parse(json) as ExportRecord[], nextCursor !== null, ({ state, format }) => [
    state,
    format,
  ]);
}
