import { type Static, Type } from "typebox";
import { PERMISSIONS, SCOPES } from "../core/permission.ts";
import { orNull, Relation, time, timeOrNull } from "./basics/basics.ts";
import { endpoint, json, type Tag } from "./basics/endpoint.ts";

const tag: Tag = { name: "usage", description: "What the project stores, and its rate limits." };

export const RateLimit = Type.Object(
  {
    turns: Type.Integer({ description: "How many requests are allowed." }),
    seconds: Type.Integer({ description: "In how many seconds." }),
    burst: Type.Integer({ description: "How many of them at once." }),
  },
  {
    $id: "RateLimit",
    description: "So many requests in so many seconds, per key, application and person.",
    examples: [{ turns: 600, seconds: 60, burst: 120 }],
  },
);
export type RateLimit = Static<typeof RateLimit>;

export const RateLimitOrNull = orNull(RateLimit, { description: "Null is unlimited." });

export const UsageCount = Type.Object(
  { count: Type.Integer({ maximum: 1_000_000 }), relation: Relation },
  { $id: "UsageCount", description: "A number up to 1,000,000; relation is gte if there are more." },
);
export type UsageCount = Static<typeof UsageCount>;

export const UsedKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    permissions: Type.Array(Type.Enum(PERMISSIONS, { $id: "Permission" })),
    created_at: time,
    last_used_at: timeOrNull,
  },
  { $id: "UsedKey", description: "A valid API key." },
);
export type UsedKey = Static<typeof UsedKey>;

export const UsedApplication = Type.Object(
  {
    client_id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.Enum(SCOPES, { $id: "Scope" })),
    people: Type.Integer({ description: "How many members have authorized it." }),
    last_used_at: timeOrNull,
  },
  { $id: "UsedApplication", description: "An application that members have authorized." },
);
export type UsedApplication = Static<typeof UsedApplication>;

export const UsedIndex = Type.Object(
  {
    field: Type.String({
      description: "The field's name in filters; email@ is the domain of the e-mail.",
    }),
    kind: Type.Enum(["order", "parts"], {
      $id: "IndexKind",
      description: "order: sorting, ranges and equal values; parts: texts that contain a text.",
    }),
    made_by: Type.Enum(["project", "service"], {
      $id: "IndexMaker",
      description: "Whether the project asked for it, or the service made it because queries were slow.",
    }),
    state: Type.Enum(["building", "ready"], { $id: "IndexState" }),
    leads: Type.Integer({ description: "How many leads were in it when it was built." }),
    created_at: time,
  },
  { $id: "UsedIndex", description: "An index of a field, which each write of the field updates." },
);
export type UsedIndex = Static<typeof UsedIndex>;

/** What a project contains, its limits, and the credentials that call it. */
export const Usage = Type.Object(
  {
    limits: Type.Object({
      api: RateLimitOrNull,
      mcp: RateLimitOrNull,
      dataset_reads: RateLimitOrNull,
      dataset_writes: RateLimitOrNull,
      dataset_imports: RateLimitOrNull,
    }),
    leads: UsageCount,
    events: UsageCount,
    datasets: orNull(Type.Integer(), { description: "Null without datasets:read." }),
    dataset_rows: orNull(UsageCount, { description: "Null without datasets:read." }),
    fields: Type.Object({
      count: Type.Integer({ description: "How many custom fields the project has." }),
      most: Type.Integer({ description: "How many it may have." }),
    }),
    changes: Type.Object(
      {
        kept_days: Type.Integer({ description: "For how many days changes are kept, and can be undone." }),
        bytes: Type.Integer({
          description: "The size of former values that are kept besides those in events.",
        }),
        most_bytes: orNull(Type.Integer(), {
          description:
            "Beyond this size the oldest values are removed, and their changes cannot be undone; null is unlimited.",
        }),
      },
      { description: "What is kept of changes." },
    ),
    indexes: Type.Array(UsedIndex, {
      description:
        "The indexes that make sorts and filters of fields fast. Each makes writes a little slower.",
    }),
    views: Type.Integer(),
    members: Type.Integer(),
    api_keys: orNull(Type.Array(UsedKey), {
      description:
        "The valid ones, last used first; null for keys: only owners and admins see them, in the panel.",
    }),
    applications: orNull(Type.Array(UsedApplication), {
      description: "Last used first; null for keys: only owners and admins see them, in the panel.",
    }),
  },
  {
    $id: "Usage",
    description: "What the project stores, its rate limits, and the credentials that call it.",
    examples: [
      {
        limits: {
          api: { turns: 600, seconds: 60, burst: 120 },
          mcp: { turns: 600, seconds: 60, burst: 120 },
          dataset_reads: { turns: 600, seconds: 60, burst: 120 },
          dataset_writes: { turns: 120, seconds: 60, burst: 60 },
          dataset_imports: { turns: 10, seconds: 3_600, burst: 10 },
        },
        leads: { count: 48_210, relation: "eq" },
        events: { count: 1_000_000, relation: "gte" },
        datasets: 3,
        dataset_rows: { count: 12_000, relation: "eq" },
        fields: { count: 12, most: 200 },
        changes: { kept_days: 30, bytes: 120_400, most_bytes: 1_000_000_000 },
        indexes: [
          {
            field: "custom.seats",
            kind: "order",
            made_by: "service",
            state: "ready",
            leads: 48_102,
            created_at: "2026-03-31T14:30:00.123456+00:00",
          },
        ],
        views: 7,
        members: 4,
        api_keys: null,
        applications: null,
      },
    ],
  },
);
export type Usage = Static<typeof Usage>;

export const getUsage = endpoint({
  id: "usage.get",
  method: "GET",
  url: "/api/v1/usage",
  tag,
  summary: "Read limits and usage",
  description:
    "Returns what the project stores and its rate limits. Counts stop at 1,000,000 (relation gte). A limit allows so many " +
    "requests in so many seconds, with bursts, per key, application and person; null is unlimited. api_keys and " +
    "applications are null for keys: owners and admins see them in the panel. datasets and dataset_rows are null " +
    "without datasets:read.",
  refusals: "v1",
  needs: "leads:read",
  answers: { 200: json(Usage, "The limits and the numbers.") },
});
