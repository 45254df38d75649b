import type { WrittenLead } from "../../../domain/leads/write/write-outcome.ts";
import type { Reply } from "../../../http/response/reply.ts";

/** A lead, bare, with its version as ETag for If-Match. */
export const leadReply = (json: string): Reply => ({
  status: 200,
  body: json,
  headers: { ETag: `"${versionIn(json)}"` },
});

/** A lead that was written; 201 with its address where it was made. What was done stands in a header. */
export function writtenReply({ id, json, outcome }: WrittenLead): Reply {
  const { headers, ...reply } = leadReply(json);
  const created = outcome === "created" ? { Location: `/api/v1/leads/${id}` } : {};
  return {
    ...reply,
    status: outcome === "created" ? 201 : 200,
    headers: { ...headers, ...created, "X-Leadgate-Outcome": outcome },
  };
}

/** The record's version without parsing it; behind it come only ids and times, so that the last one is its own. */
const versionIn = (json: string): string =>
  /^\d+/.exec(json.slice(json.lastIndexOf('"version":') + '"version":'.length))?.[0] ?? "";
