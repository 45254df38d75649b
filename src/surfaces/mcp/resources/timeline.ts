import { perform } from "../../../domain/operation/operation.ts";
import type { OffsetPage } from "../../../domain/operation/page.ts";
import { readTimeline } from "../../../domain/timeline/read-timeline.ts";
import type { ResourceTemplate, ResourceText } from "../protocol/registry.ts";
import { becameAnother } from "./became-another.ts";
import { completeLead } from "./complete-lead.ts";
import { asJson, fitting, JSON_TYPE, unlessMissing } from "./json.ts";
import { offsetOf, uriReader } from "./uri.ts";

const PAGE = 100;

export const timelineResource: ResourceTemplate = {
  uriTemplate: "leads://leads/{lead_id}/timeline",
  name: "lead_timeline",
  title: "A lead's timeline",
  description: "What happened to one lead, newest first, up to 100 events; next is the URI of older events.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  match: uriReader("leads://leads/{lead_id}/timeline", "offset"),
  leadOf: ({ lead_id: id }) => id,
  async read({ service, caller }, { lead_id: id = "", ...rest }) {
    const offset = offsetOf(rest);
    const asked = { id, limit: PAGE, offset: offset ?? 0 };
    const read = perform(service, readTimeline, caller, asked)
      .then((page) => (offset === undefined ? undefined : pageText(id, page, offset)))
      .catch((error) => becameAnother(error, "/timeline"));
    return await unlessMissing(read);
  },
  complete: async (call, _variable, typed) => await completeLead(call, typed),
};

function pageText(id: string, page: OffsetPage, offset: number): ResourceText {
  const { shown, left, cut } = fitting(JSON.parse(page.json) as unknown[]);
  const after = offset + shown.length;
  return asJson({
    lead_id: id,
    events: shown,
    count: shown.length,
    total: page.total,
    total_relation: page.totalRelation,
    truncated: left > 0 || cut,
    ...(page.hasMore || left > 0 ? { next: `leads://leads/${id}/timeline?offset=${after}` } : {}),
    untrusted_content: ["events"],
  });
}
