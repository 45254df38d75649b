import type { WrittenLead } from "../../../domain/leads/write/write-outcome.ts";
import type { Reply } from "../../../http/response/reply.ts";

/** Responds with a lead, without an envelope, and its version as ETag for If-Match. */
export const leadReply = (json: string): Reply => ({
  status: 200,
  body: json,
  headers: { ETag: `"${versionIn(json)}"` },
});

/**
 * Responds with a lead that was written; 201 with its URL if it was created. A header reports the outcome. A caller
 * that may only create gets 202 from an upsert, whatever was done.
 */
export function writtenReply({ id, json, outcome }: WrittenLead): Reply {
  if (json === "") return { status: 202, body: '{"accepted":true}' };
  const { headers, ...reply } = leadReply(json);
  const created = outcome === "created" ? { Location: `/api/v1/leads/${id}` } : {};
  return {
    ...reply,
    status: outcome === "created" ? 201 : 200,
    headers: { ...headers, ...created, "X-Leadgate-Outcome": outcome },
  };
}

/**
 * Returns the record's version without parsing it; only ids and timestamps follow it, so the last match is
 * the version.
 */
const versionIn = (json: string): string =>
  /^\d+/.exec(json.slice(json.lastIndexOf('"version":') + '"version":'.length))?.[0] ?? "";
