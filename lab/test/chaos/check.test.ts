import assert from "node:assert/strict";
import { test } from "node:test";
import type { PromiseName } from "../../../test/chaos/check/broken.ts";
import { check } from "../../../test/chaos/check/check.ts";
import { type Call, type Entry, type Op, REDIS_LATE } from "../../../test/chaos/history.ts";
import {
  call,
  EVENTS,
  exported,
  historyWith,
  introspected,
  LISTED,
  lead,
  page,
  refreshed,
  revoked,
} from "./histories.ts";

const brokenIn = (parts: Record<string, readonly Entry[]>): PromiseName[] => [
  ...new Set(check(historyWith(parts)).map(({ promise }) => promise)),
];

const listed = (leads: readonly object[]) => ({
  list: [call("lead.list", { at: [400, 410], answer: { leads, next_cursor: null } })],
  stored: [{ kind: "stored", leads: leads.length, unfinishedJobs: 0 } as const],
});
const fed = (events: readonly unknown[]) => ({ first: [page("f-1", events)], second: [page("f-2", events)] });
const [L1, L2, L3] = LISTED as [object, object, object];
const [E1, E2, E3, E4, E5, E6] = EVENTS;
const changed = (at: [number, number], value: string, version: number, to: number) =>
  call("lead.change", { at, about: { lead: "L1", value, version }, answer: lead("L1", "a-1", to, value) });
const uploaded = (rows: number) =>
  call("import.upload", { at: [60, 70], about: { prefix: "i-1", rows }, status: 201, answer: { id: "i1" } });
const reads = (times: readonly [number, number][]) => times.map((at) => call("counted.read", { at }));
const created = (lead_id: string) => ({ id: `e-${lead_id}`, type: "lead.created", lead_id });
const fullDisk = { kind: "fault", name: "disk-full", start: 8, end: 9, crash: false } as const;
const refused = (op: Op, about: Call["about"], at: [number, number] = [11, 12]) =>
  call(op, { at, about, status: 429 });
const unsent = (one: Call): Call => ({ ...one, status: null, isSent: false });
const shown = (at: [number, number], token: string, status: number | null) =>
  call("oauth.refresh", { at, about: { chain: "c-1", token }, status });
const inRedis = { kind: "limit", burst: 2, each: 100, redis: true, instances: 2 } as const;
const crash = { kind: "fault", name: "kill-postgres", start: 8, end: 9, crash: true } as const;

test("a history in which every promise was kept is not found fault with", () => {
  assert.deepEqual(check(historyWith()), []);
});

const BROKEN: [name: string, promise: PromiseName, parts: Record<string, readonly Entry[]>][] = [
  ["an acknowledged lead that is not there in the end", "kept", { ...listed([L2, L3]) }],
  ["leads that cannot be read in the end", "kept", { list: [] }],
  ["an acknowledged deletion without effect", "kept", { ...listed([...LISTED, lead("L4", "a-2", 1)]) }],
  [
    "an acknowledged change that is not there in the end",
    "kept",
    { ...listed([lead("L1", "a-1", 1), L2, L3]) },
  ],
  [
    "an unanswered creation that happened twice",
    "once",
    {
      gone: [call("lead.create", { at: [0, 10], about: { name: "a-2" }, status: null })],
      ...fed([E1, E2, E3, E4, E5]),
      ...listed([...LISTED, lead("L5", "a-2", 1), lead("L6", "a-2", 1)]),
    },
  ],
  ["two leads with one external id", "once", { ...listed([...LISTED, lead("L7", "", 1, "", "i-1-1")]) }],
  ["a lead that nobody created", "once", { ...listed([...LISTED, lead("L8", "who", 1)]) }],
  [
    "an unanswered change that happened twice",
    "once",
    {
      unanswered: [
        call("lead.change", { at: [31, 32], about: { lead: "L1", value: "v-2", version: 2 }, status: null }),
      ],
      ...listed([lead("L1", "a-1", 4, "v-2"), L2, L3]),
    },
  ],
  [
    "a refused creation that happened",
    "once",
    {
      refused: [refused("lead.create", { name: "a-3" })],
      ...fed([...EVENTS, created("L5")]),
      ...listed([...LISTED, lead("L5", "a-3", 1)]),
    },
  ],
  [
    "a creation that happened without having been sent",
    "once",
    {
      refused: [unsent(refused("lead.create", { name: "a-3" }))],
      ...fed([...EVENTS, created("L5")]),
      ...listed([...LISTED, lead("L5", "a-3", 1)]),
    },
  ],
  [
    "a refused deletion that happened",
    "kept",
    { refused: [refused("lead.delete", { lead: "L1" })], ...listed([L2, L3]) },
  ],
  [
    "a deletion that happened without having been sent",
    "kept",
    { refused: [unsent(refused("lead.delete", { lead: "L1" }))], ...listed([L2, L3]) },
  ],
  [
    "one version that two writes made",
    "versions",
    {
      again: [changed([21, 31], "v-2", 1, 2)],
      ...fed([E1, E2, { id: "e7", type: "lead.updated", lead_id: "L1", to: "v-2" }, E3, E4, E5, E6]),
    },
  ],
  [
    "a condition that did not hold",
    "versions",
    {
      change: [changed([20, 30], "v-1", 1, 3)],
      read: [],
      ...listed([lead("L1", "a-1", 3, "v-1"), L2, L3]),
      exported: exported([lead("L1", "a-1", 3, "v-1"), L2, L3]),
    },
  ],
  [
    "a read of an earlier version",
    "versions",
    {
      read: [call("lead.read", { at: [40, 50], answer: lead("L1", "a-1", 1) })],
    },
  ],
  [
    "a version with a value that another write made",
    "versions",
    {
      read: [call("lead.read", { at: [40, 50], answer: lead("L1", "a-1", 2, "v-9") })],
    },
  ],
  ["a change that followers never see", "feed", fed([E1, E3, E4, E5, E6])],
  ["a change that followers see twice", "feed", fed([E1, E2, { ...E2, id: "e7" }, E3, E4, E5, E6])],
  ["an event that comes again", "feed", fed([E1, E2, E2, E3, E4, E5, E6])],
  [
    "an event that was recorded twice under one key",
    "feed",
    fed([E1, E2, E3, { ...E3, id: "e7" }, E4, E5, E6]),
  ],
  ["a change before one that had ended before it began", "feed", fed([E2, E1, E3, E4, E5, E6])],
  [
    "a change that nobody asked for",
    "feed",
    fed([...EVENTS, { id: "e7", type: "lead.updated", lead_id: "L1", to: "w" }]),
  ],
  ["a creation that nobody asked for", "feed", fed([...EVENTS, created("L9")])],
  [
    "a deletion that nobody asked for",
    "feed",
    fed([...EVENTS, { id: "e7", type: "lead.deleted", lead_id: "L3" }]),
  ],
  [
    "an unanswered creation that followers never see",
    "feed",
    { ...listed([...LISTED, lead("L5", "a-2", 1)]) },
  ],
  ["two followers with different orders", "feed", { second: [page("f-2", [E1, E2, E3, E5, E4, E6])] }],
  [
    "rows of an import that are missing",
    "imports",
    {
      ...listed([L1, L2]),
      exported: exported([L1, L2]),
    },
  ],
  [
    "an import with wrong counts",
    "imports",
    {
      upload: [uploaded(2)],
      imported: [
        call("import.read", {
          at: [100, 110],
          about: { id: "i1" },
          answer: { id: "i1", state: "done", rows: 2, created: 1 },
        }),
      ],
    },
  ],
  ["an import that does not end", "imports", { imported: [] }],
  ["rows of an import that was not committed", "imports", { commit: [] }],
  [
    "an export that does not end",
    "exports",
    {
      exported: [call("export.start", { at: [200, 210], status: 202, answer: { id: "x1" } })],
    },
  ],
  ["an export with fewer rows than it counted", "exports", { exported: exported([L1, L2, L3], 4) }],
  [
    "an export without a change from before its start",
    "exports",
    { exported: exported([lead("L1", "a-1", 1), L2, L3]) },
  ],
  [
    "an export with a change, but not with an earlier one",
    "exports",
    {
      create: [
        call("lead.create", {
          at: [211, 212],
          about: { name: "a-1" },
          status: 201,
          answer: lead("L1", "a-1", 1),
        }),
      ],
      later: [
        call("lead.create", {
          at: [213, 214],
          about: { name: "a-3" },
          status: 201,
          answer: lead("L9", "a-3", 1),
        }),
      ],
      change: [],
      read: [],
      exported: exported([lead("L9", "a-3", 1), L2, L3]),
      ...fed([E1, { id: "e9", type: "lead.created", lead_id: "L9" }, E3, E4, E5, E6].toSorted(() => 0)),
      ...listed([lead("L1", "a-1", 1), lead("L9", "a-3", 1), L2, L3]),
      note: [],
      gone: [],
    },
  ],
  [
    "an export with a change from after its end",
    "exports",
    {
      change: [changed([260, 270], "v-1", 1, 2)],
      read: [],
      note: [],
      gone: [],
    },
  ],
  ["a refresh token that works twice", "tokens", { more: [refreshed([22, 40], "r1", "r9")] }],
  [
    "a code that is exchanged twice",
    "tokens",
    {
      more: [
        call("oauth.exchange", { at: [0, 10], about: { chain: "c-1" }, answer: { refresh_token: "r8" } }),
      ],
    },
  ],
  [
    "a superseded token whose replay is not noticed",
    "tokens",
    { more: [refreshed([80, 90], "r1", null, "expired")] },
  ],
  [
    "a chain that survives a replay",
    "tokens",
    {
      more: [refreshed([80, 90], "r1", null, "replay detected"), refreshed([91, 92], "r3", "r4")],
    },
  ],
  [
    "an access token that survives a replay",
    "tokens",
    {
      more: [refreshed([80, 90], "r1", null, "replay detected"), introspected([91, 92], "a-r3", true)],
    },
  ],
  [
    "a chain that survives its revocation",
    "tokens",
    { more: [revoked([80, 90], "r3"), refreshed([91, 92], "r3", "r4")] },
  ],
  ["a current token that is refused", "tokens", { more: [refreshed([80, 90], "r3", null, "")] }],
  [
    "a refresh that was acknowledged and then lost",
    "tokens",
    { more: [refreshed([80, 90], "r3", null, "replay detected")] },
  ],
  [
    "a current token that is refused in a chain that had an unavailable service",
    "tokens",
    { unavailable: [shown([12, 15], "r1", 503)], more: [refreshed([80, 90], "r3", null, "")] },
  ],
  [
    "a current token that is refused after it could not be sent",
    "tokens",
    {
      unsent: [unsent(shown([75, 76], "r3", null))],
      more: [refreshed([80, 90], "r3", null, "replay detected")],
    },
  ],
  ["a chain that is never answered", "tokens", { more: [shown([80, 90], "r3", 503)] }],
  [
    "a used code that is not refused as a grant",
    "tokens",
    {
      more: [
        call("oauth.exchange", {
          ...{ at: [80, 90], about: { chain: "c-1" }, status: 400 },
          answer: { error: "invalid_request" },
        }),
      ],
    },
  ],
  ["a living access token that is not active", "tokens", { more: [introspected([80, 90], "a-r3", false)] }],
  [
    "more calls at once than the bucket holds",
    "limits",
    {
      counted: reads([
        [0, 1],
        [2, 3],
        [4, 5],
        [6, 7],
      ]),
    },
  ],
  [
    "more calls than the rate allows",
    "limits",
    {
      counted: reads([
        [0, 1],
        [2, 3],
        [90, 91],
        [110, 111],
        [150, 151],
      ]),
    },
  ],
  [
    "two refills after one crash",
    "limits",
    {
      crash: [crash],
      counted: reads([
        [0, 1],
        [2, 3],
        [10, 11],
        [12, 13],
        [14, 15],
        [16, 17],
        [18, 19],
      ]),
    },
  ],
  [
    "more calls while the disk is full than the instances count by themselves",
    "limits",
    {
      crash: [fullDisk],
      counted: reads([
        [0, 1],
        [2, 3],
        [10, 11],
        [12, 13],
        [14, 15],
      ]),
    },
  ],
  [
    "calls that only a full disk would allow, which was skipped",
    "limits",
    {
      crash: [{ ...fullDisk, name: "disk-full: skipped, no file system can be mounted" }],
      counted: reads([
        [0, 1],
        [10, 11],
        [12, 13],
      ]),
    },
  ],
  [
    "more calls than Redis allows while it answers",
    "limits",
    {
      limit: [inRedis],
      crash: [crash],
      counted: reads([
        [0, 1],
        [10, 11],
        [12, 13],
      ]),
    },
  ],
  [
    "a process that is not ready in time",
    "ready",
    { ready: [{ kind: "ready", name: "all-1", after: 10_001, within: 10_000 }] },
  ],
  [
    "a process that is never ready",
    "ready",
    { ready: [{ kind: "ready", name: "all-1", after: null, within: 10_000 }] },
  ],
  [
    "a process that ends by itself",
    "ready",
    { death: [{ kind: "death", name: "all-1", at: 5, how: "code 1" }] },
  ],
  ["an internal error", "answers", { more: [call("lead.list", { at: [0, 1], status: 500 })] }],
  ["a refusal without a reason", "answers", { more: [call("lead.read", { at: [0, 1], status: 401 })] }],
  [
    "a 503 without Retry-After",
    "answers",
    {
      more: [{ ...call("lead.read", { at: [0, 1], status: 503 }), retryAfter: null }],
    },
  ],
  [
    "other leads in the tables than in the answers",
    "stored",
    { stored: [{ kind: "stored", leads: 4, unfinishedJobs: 0 }] },
  ],
  ["a job that stays", "stored", { stored: [{ kind: "stored", leads: 3, unfinishedJobs: 1 }] }],
];

for (const [name, promise, parts] of BROKEN) {
  test(`the checker finds ${name}`, () => {
    const found = brokenIn(parts);
    assert.ok(found.includes(promise), `found: ${found.join(", ") || "nothing"}`);
  });
}

const ALLOWED: [name: string, parts: Record<string, readonly Entry[]>][] = [
  [
    "an unanswered creation that happened once",
    {
      ...fed([...EVENTS, { id: "e7", type: "lead.created", lead_id: "L5" }]),
      ...listed([...LISTED, lead("L5", "a-2", 1)]),
    },
  ],
  [
    "an unanswered change that happened, or did not",
    {
      unanswered: [
        call("lead.change", { at: [31, 32], about: { lead: "L1", value: "v-2", version: 2 }, status: null }),
      ],
      read: [call("lead.read", { at: [40, 50], answer: lead("L1", "a-1", 3, "v-2") })],
      ...listed([lead("L1", "a-1", 3, "v-2"), L2, L3]),
    },
  ],
  [
    "a token that is refused after a refresh without an answer",
    {
      more: [
        call("oauth.refresh", { at: [80, 90], about: { chain: "c-1", token: "r3" }, status: null }),
        refreshed([91, 95], "r3", null, "replay detected"),
        introspected([96, 99], "a-r3", false),
      ],
    },
  ],
  [
    "a token that is refused after an earlier one was presented again without an answer",
    { unanswered: [shown([55, 58], "r2", null)], more: [refreshed([80, 90], "r3", null, "")] },
  ],
  [
    "a used code and a superseded token that are refused in the end",
    {
      more: [
        call("oauth.exchange", {
          ...{ at: [80, 90], about: { chain: "c-1" }, status: 400 },
          answer: { error: "invalid_grant" },
        }),
        refreshed([91, 92], "r2", null, "replay detected"),
        introspected([93, 94], "a-r3", false),
      ],
    },
  ],
  [
    "an unanswered deletion that happened",
    {
      unanswered: [call("lead.delete", { at: [350, 351], about: { lead: "L3" }, status: null })],
      ...fed([...EVENTS, { id: "e7", type: "lead.deleted", lead_id: "L3" }]),
      ...listed([L1, L2]),
      upload: [uploaded(1)],
      imported: [
        call("import.read", {
          at: [100, 110],
          about: { id: "i1" },
          answer: {
            id: "i1",
            state: "done",
            rows: 1,
            created: 1,
            updated: 0,
            unchanged: 0,
            skipped: 0,
            failed: 0,
          },
        }),
      ],
    },
  ],
  [
    "half the limit in the database while Redis is late",
    {
      limit: [inRedis],
      late: [{ kind: "fault", name: REDIS_LATE, start: 0, end: 300, crash: false }],
      counted: reads([
        [0, 1],
        [10, 11],
        [12, 13],
      ]),
    },
  ],
  [
    "a change that is refused before it left, and another in its place",
    {
      refused: [
        {
          ...call("lead.change", {
            at: [12, 13],
            about: { lead: "L1", value: "v-0", version: 1 },
            status: null,
          }),
          isSent: false,
        },
      ],
    },
  ],
  [
    "a bucket that a crash of PostgreSQL filled again",
    {
      crash: [crash],
      counted: reads([
        [0, 1],
        [2, 3],
        [10, 11],
        [12, 13],
      ]),
    },
  ],
  [
    "calls that instances count by themselves while the disk is full",
    {
      crash: [fullDisk],
      counted: reads([
        [0, 1],
        [2, 3],
        [10, 11],
        [12, 13],
      ]),
    },
  ],
  [
    "calls whose stretch of time cannot be told",
    {
      counted: reads([
        [0, 500],
        [0, 500],
        [0, 500],
        [0, 500],
      ]),
    },
  ],
  [
    "events of two changes at the same time in either order",
    {
      change: [changed([5, 30], "v-1", 1, 2)],
      ...fed([E2, E1, E3, E4, E5, E6]),
    },
  ],
];

for (const [name, parts] of ALLOWED) {
  test(`the checker allows ${name}`, () => {
    assert.deepEqual(check(historyWith(parts)), []);
  });
}
