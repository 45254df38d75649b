import { Type } from "typebox";
import { IdInPath, paging } from "../basics/basics.ts";
import { endpoint, json, type Tag } from "../basics/endpoint.ts";
import { LeadAccepted } from "../leads/lead.ts";
import {
  Event,
  EventBatch,
  EventBatchResult,
  EventFeed,
  EventInput,
  EventPage,
  EventReceipt,
  SyncInput,
  SyncPage,
} from "./event.ts";
import { eventOrigin, timelineQuery, types } from "./timeline-query.ts";

const tag: Tag = {
  name: "timeline",
  description: "Events of leads, and the feed of all changes in the order of commits.",
};

const reads = { tag, refusals: "v1", needs: "leads:read" } as const;
const writes = { tag, refusals: "v1", needs: ["leads:write", "leads:create"] } as const;

const ACCEPTED = json(
  LeadAccepted,
  "Received, for a key that may only create leads, whether there is such a lead or not.",
);

export const listLeadEvents = endpoint({
  ...reads,
  id: "leads.events.list",
  method: "GET",
  url: "/api/v1/leads/{id}/events",
  summary: "List a lead's events",
  description:
    "Its timeline, newest first unless order is asc. from is inclusive, to is exclusive. A cursor is valid only for its " +
    "lead and parameters.",
  params: IdInPath,
  query: Type.Object({
    ...paging,
    ...timelineQuery,
    ...eventOrigin,
  }),
  answers: { 200: json(EventPage, "A page of events.") },
  refused: [404],
});

const Added = Type.Union([Event, EventReceipt]);

export const addLeadEvent = endpoint({
  ...writes,
  id: "leads.events.add",
  method: "POST",
  url: "/api/v1/leads/{id}/events",
  summary: "Record an event",
  description:
    "Something that happened to a lead. With an external_id it is recorded once per lead and source, however often it is " +
    "sent: 200 with the event as first recorded. Moves last_activity_at forward, never back. A key that may not read " +
    "leads gets only id, lead_id and type; one with leads:create, but not leads:write, gets 202 in every case.",
  params: IdInPath,
  body: EventInput,
  examples: {
    opened: {
      type: "email.opened",
      occurred_at: "2026-03-31T14:30:00+00:00",
      data: { subject: "Our offer" },
      source: "mailer",
      external_id: "open-17",
    },
    note: { type: "note.added", data: { text: "Prefers to be called in the morning." } },
  },
  answers: {
    200: json(Added, "The event, which had been recorded before."),
    201: json(Added, "The event."),
    202: ACCEPTED,
  },
  refused: [404, 422],
});

export const addEvents = endpoint({
  ...writes,
  id: "events.addBatch",
  method: "POST",
  url: "/api/v1/events/batch",
  summary: "Record many events",
  description:
    "Up to 500 events of any leads, each with its own result: one that fails does not affect the others. A key with leads:create, but " +
    "not leads:write, gets 202 and no results, whoever is stored; only an event that is invalid in itself is refused.",
  body: EventBatch,
  examples: {
    two: {
      events: [
        { lead: { external_id: "crm-17" }, type: "email.opened", data: { subject: "Our offer" } },
        { lead: { email: "ana@example.org" }, type: "call.made", data: { outcome: "reached" } },
      ],
    },
  },
  answers: { 200: json(EventBatchResult, "The results, in the order of the events."), 202: ACCEPTED },
  refused: [422],
});

export const syncLeads = endpoint({
  ...reads,
  id: "leads.sync",
  method: "POST",
  url: "/api/v1/sync",
  summary: "Read all leads, then follow",
  description:
    "A page of all leads in the order of ids, whatever is written meanwhile. Repeat the call with next_cursor until it is " +
    "null; that page has feed_cursor, with which the feed continues without a gap. It returns what searching page by page " +
    "would return, so it needs no right to export. After a backup is restored, an old cursor is 400 cursor_of_former_epoch.",
  body: SyncInput,
  examples: { first: {}, next: { cursor: "…", limit: 500 } },
  answers: { 200: json(SyncPage, "A page of leads.") },
});

export const readFeed = endpoint({
  ...reads,
  id: "events.feed",
  method: "GET",
  url: "/api/v1/events",
  summary: "Follow the project's events",
  description:
    "A change feed of all leads, in commit order: keep next_cursor, which is never null here, and continue " +
    "with it; has_more means that more is available now. No event is skipped or repeated. With types a page may be " +
    "empty although has_more is true. After a backup is restored, an old cursor is 400 cursor_of_former_epoch, and one that " +
    "is older than the changes that are kept is 410 cursor_expired. To keep " +
    "copies of leads, start with POST /api/v1/sync and continue with snapshot=true: for each lead_id on a page, store the " +
    "lead if it is among leads, and remove it otherwise.",
  query: Type.Object({
    ...paging,
    types,
    since: Type.Optional(
      Type.Enum(["beginning", "now"], {
        description: "Where to start without a cursor; defaults to beginning.",
      }),
    ),
    snapshot: Type.Optional(
      Type.Boolean({ description: "Whether the page has the present leads of its events, too." }),
    ),
  }),
  answers: { 200: json(EventFeed, "A page of the feed.") },
  refused: [410],
});

export const streamEvents = endpoint({
  ...reads,
  id: "events.stream",
  method: "GET",
  url: "/api/v1/events/stream",
  summary: "Stream the project's events",
  description:
    "The feed as server-sent events, from about a tenth of a second after each commit on: event is change, data is a " +
    "FeedEvent on one line, and id is a cursor of the feed, which either of the two accepts. The stream starts after " +
    "Last-Event-ID or cursor (the header wins), else now, and skips and repeats nothing. A comment every 15 seconds moves " +
    "the id on. It ends within two seconds after the credential did. Before it ends for another reason than a restart of " +
    "the service, it sends event end with code and message, such as too_slow for a reader that does not read; connect " +
    "again with the last id. 429 too_many_streams above 20 streams of one credential or 1,000 of the process.",
  query: Type.Object({ cursor: paging.cursor, types }),
  answers: {
    200: { description: "Events, until the connection closes.", types: ["text/event-stream"] },
  },
  refused: [410],
});
