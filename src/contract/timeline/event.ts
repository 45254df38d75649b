import { type Static, Type } from "typebox";
import { Actor } from "../basics/actor.ts";
import { anyObject, nextCursor, orNull, stringOrNull, time } from "../basics/basics.ts";
import { FieldChange } from "../basics/field-change.ts";
import { PageInfo } from "../basics/page-info.ts";
import { Problem } from "../basics/problem.ts";
import { Lead } from "../leads/lead.ts";
import { EVENT_TYPE } from "../lists/events.ts";

const DATA =
  "For a change of a lead (lead.updated): field, from and to, and the reason of a change of do_not_contact, if one was given.";

const shape = {
  id: Type.String(),
  type: Type.String({ description: "noun.verb, such as email.opened; lead.* comes from the service." }),
  occurred_at: time,
  recorded_at: time,
  source: orNull(Type.String(), {
    description: "The system that it came from: api, panel, mcp or import, unless its sender named another.",
  }),
  actor: Actor,
  title: Type.String({ description: "What happened, in one line." }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: DATA }),
  external_id: orNull(Type.String(), { description: "Its key in that system." }),
  merged_from: orNull(Type.String(), {
    description: "The lead that had the event before it was merged into this one.",
  }),
};

const { id, type, ...shared } = shape;
const lead_id = Type.String();
const rest = {
  ...shared,
  version: orNull(Type.Integer(), {
    description:
      "The lead's version after it, or at which it was recorded if it changes nothing: that of merged_from, if that is set, and null for events of former versions.",
  }),
  change_id: orNull(Type.String(), {
    description: "The change that recorded it; null if that is not known, as for events of former versions.",
  }),
};

const EXAMPLE = {
  occurred_at: "2026-03-31T14:30:00+00:00",
  recorded_at: "2026-03-31T14:30:02.123456+00:00",
  source: "mailer",
  actor: { type: "key", id: "key_01kagx3m5w8q2r7t9v4c6d1f0h", label: "My CRM" },
  title: "Email opened: Our offer",
  data: { subject: "Our offer" },
  external_id: "open-17",
  merged_from: null,
};
const EXAMPLE_CHANGE = { version: 4, change_id: "chg_01kagx3m5w8q2r7t9v4c6d1f0h" };
const EXAMPLE_ID = { id: "evt_01kagx3m5w8q2r7t9v4c6d1f0h" };
const EXAMPLE_LEAD = { lead_id: "lead_01kagx3m5w8q2r7t9v4c6d1f0h" };
const EXAMPLE_TYPE = { type: "email.opened" };

/** An event on its lead's own timeline. */
const TimelineEvent = Type.Object(shape, {
  $id: "TimelineEvent",
  description: "Something that happened to the lead.",
  examples: [{ ...EXAMPLE_ID, ...EXAMPLE_TYPE, ...EXAMPLE }],
});

/** An event in a list that covers several leads. */
export const Event = Type.Object(
  { id, lead_id, type, ...rest },
  {
    $id: "Event",
    description: "Something that happened to a lead.",
    examples: [{ ...EXAMPLE_ID, ...EXAMPLE_LEAD, ...EXAMPLE_TYPE, ...EXAMPLE, ...EXAMPLE_CHANGE }],
  },
);
export type Event = Static<typeof Event>;

/** An event in the feed. */
const FeedEvent = Type.Object(
  {
    ...{ id, lead_id, type, ...rest },
    changes: Type.Array(FieldChange, {
      description: "What lead.updated, lead.deleted and lead.restored changed; [] for other types.",
    }),
  },
  {
    $id: "FeedEvent",
    description:
      "Something that happened to a lead. The last event of a lead that is gone is lead.deleted, lead.erased (data is {}) " +
      "or lead.merged with data.survivor_id, the lead that it became; the surviving lead has a lead.merged of its own, " +
      "with data.lead_id. Changes of fields that timelines leave out are lead.updated with data {} and all of them in " +
      "changes.",
    examples: [
      {
        ...{ ...EXAMPLE_ID, ...EXAMPLE_LEAD, type: "lead.updated", ...EXAMPLE },
        ...{ source: "panel", title: "Status changed", external_id: null },
        data: { field: "status", from: "new", to: "won" },
        ...EXAMPLE_CHANGE,
        changes: [{ field: "status", from: "new", to: "won" }],
      },
    ],
  },
);

/** A recorded event as callers see it that may write leads but not read them. */
export const EventReceipt = Type.Object(
  { id, lead_id },
  {
    $id: "EventReceipt",
    description: "The event for a key that may not read leads.",
    examples: [{ ...EXAMPLE_ID, ...EXAMPLE_LEAD }],
  },
);
export type EventReceipt = Static<typeof EventReceipt>;

export const EventPage = Type.Object(
  { events: Type.Array(Event), next_cursor: nextCursor },
  { $id: "EventPage" },
);
export type EventPage = Static<typeof EventPage>;

export const EventFeed = Type.Object(
  {
    events: Type.Array(FeedEvent),
    next_cursor: Type.String({ description: "Never null: store it, and continue with it." }),
    has_more: Type.Boolean({ description: "Whether more is available now." }),
    leads: Type.Optional(
      Type.Array(Lead, {
        description:
          "With snapshot=true: the present record of each lead that events name, once. A lead that is deleted, merged or " +
          "erased is absent.",
      }),
    ),
  },
  { $id: "EventFeed", description: "A page of the project's events, in the order of commits." },
);
export type EventFeed = Static<typeof EventFeed>;

/** The body of a call of the sync. */
export const SyncInput = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 500." })),
    cursor: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description: "next_cursor of the page before; none for the first page.",
      }),
    ),
  },
  { $id: "SyncInput", additionalProperties: false, examples: [{}] },
);
export type SyncInput = Static<typeof SyncInput>;

export const SyncPage = Type.Object(
  {
    leads: Type.Array(Lead, { description: "In the order of ids." }),
    next_cursor: nextCursor,
    feed_cursor: orNull(Type.String(), {
      description:
        "Null until the last page. With it as cursor, GET /api/v1/events and GET /api/v1/events/stream continue with what " +
        "was written since the first page.",
    }),
  },
  { $id: "SyncPage", description: "A page of all leads." },
);
export type SyncPage = Static<typeof SyncPage>;

export const Timeline = Type.Object(
  { events: Type.Array(TimelineEvent), page_info: PageInfo },
  { $id: "Timeline" },
);
export type Timeline = Static<typeof Timeline>;

const input = {
  type: Type.String({
    maxLength: 81,
    pattern: EVENT_TYPE.source,
    description: "noun.verb, such as email.opened; lead.* is reserved for the service.",
  }),
  occurred_at: Type.Optional(
    orNull(Type.String(), {
      description:
        "ISO 8601 with an offset, or a date, which means its first instant in the project's time zone; defaults to now.",
    }),
  ),
  title: Type.Optional(
    orNull(Type.String({ maxLength: 500 }), {
      description: "Defaults to a title made from type and data.",
    }),
  ),
  data: Type.Optional(orNull(anyObject, { description: "At most 16 KB and 8 levels; defaults to {}." })),
  source: Type.Optional(
    orNull(Type.String({ maxLength: 100 }), {
      description: "The system it comes from; defaults to api.",
    }),
  ),
  external_id: Type.Optional(
    orNull(Type.String({ maxLength: 255 }), {
      description: "Its key in that system: an event with the same source and key is recorded once per lead.",
    }),
  ),
};

const INPUT = {
  type: "email.opened",
  occurred_at: "2026-03-31T14:30:00+00:00",
  data: { subject: "Our offer" },
  source: "mailer",
  external_id: "open-17",
};

/** An event to record. */
export const EventInput = Type.Object(input, {
  $id: "EventInput",
  additionalProperties: false,
  description: "Something that happened to the lead.",
  examples: [INPUT],
});
export type EventInput = Static<typeof EventInput>;

const LeadRef = Type.Union(
  [
    Type.Object({ external_id: Type.String({ maxLength: 500 }) }, { additionalProperties: false }),
    Type.Object({ email: Type.String({ maxLength: 500 }) }, { additionalProperties: false }),
    Type.Object({ phone: Type.String({ maxLength: 500 }) }, { additionalProperties: false }),
  ],
  {
    $id: "LeadRef",
    description:
      "A lead by its external id, e-mail or phone, if lead_id is omitted. A further one finds it, too, and that of a merged lead finds the survivor.",
  },
);

/** An event of a batch, with its lead. */
const BatchEventInput = Type.Object(
  { lead_id: Type.Optional(Type.String()), lead: Type.Optional(LeadRef), ...input },
  {
    $id: "BatchEventInput",
    additionalProperties: false,
    description: "Something that happened to a lead, which either lead_id or lead names.",
    examples: [{ lead: { external_id: "crm-17" }, ...INPUT }],
  },
);

export const EventBatch = Type.Object(
  { events: Type.Array(BatchEventInput, { minItems: 1, maxItems: 500 }) },
  { $id: "EventBatch", additionalProperties: false },
);
export type EventBatch = Static<typeof EventBatch>;

export const EventResult = Type.Object(
  {
    index: Type.Integer({ description: "The place of the event in the request, from 0." }),
    status: Type.Integer({ description: "The status that the event would have had on its own." }),
    id: stringOrNull,
    lead_id: stringOrNull,
    outcome: Type.Enum(["created", "unchanged", "failed"]),
    error: orNull(Problem.properties.error),
  },
  {
    $id: "EventResult",
    description: "What became of one event of a batch.",
    examples: [
      { index: 0, id: EXAMPLE_ID.id, ...EXAMPLE_LEAD, outcome: "created", status: 201, error: null },
    ],
  },
);
export type EventResult = Static<typeof EventResult>;

export const EventBatchResult = Type.Object(
  {
    created: Type.Integer(),
    unchanged: Type.Integer({ description: "Already recorded, by source and external_id." }),
    failed: Type.Integer(),
    results: Type.Array(EventResult, { description: "In the order of the request." }),
  },
  { $id: "EventBatchResult" },
);
export type EventBatchResult = Static<typeof EventBatchResult>;
