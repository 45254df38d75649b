import type { Call, Entry, History, Op } from "../../../test/chaos/history.ts";

/** What is particular of a call: when it was (from, to), what was asked, and the answer. */
interface Given {
  at: readonly [start: number, end: number];
  actor?: string;
  about?: Call["about"];
  status?: number | null;
  answer?: unknown;
}

let calls = 0;

export function call(
  op: Op,
  { at: [start, end], actor = "one", about = {}, status = 200, answer = {} }: Given,
): Call {
  calls += 1;
  return {
    ...{ kind: "call", n: calls, actor, op, about, to: "all-1", start, end },
    ...{ status, isSent: true, retryAfter: status === 429 || status === 503 ? "1" : null, answer },
  };
}

export const lead = (id: string, name: string, version: number, company = "", external_id = "") => ({
  ...{ id, name, version, company, external_id },
});

const event = (id: string, type: string, lead_id: string, more: object = {}) => ({
  id,
  type,
  lead_id,
  ...more,
});

export const EVENTS = [
  event("e1", "lead.created", "L1"),
  event("e2", "lead.updated", "L1", { to: "v-1" }),
  event("e3", "note.added", "L1", { external: "n-1" }),
  event("e4", "lead.created", "L2"),
  event("e5", "lead.created", "L3"),
  event("e6", "lead.deleted", "L4"),
];

export const page = (actor: string, events: readonly unknown[]): Call =>
  call("feed.page", { actor, at: [300, 310], answer: { events, next_cursor: "c", has_more: false } });

const ROWS = [lead("L2", "Row 0", 1, "", "i-1-0"), lead("L3", "Row 1", 1, "", "i-1-1")];
export const LISTED = [lead("L1", "a-1", 2, "v-1"), ...ROWS];

const fileOf = (leads: readonly object[]): string => leads.map((one) => `${JSON.stringify(one)}\n`).join("");

/** The download of export x1 with these leads, and the read that said how many these are. */
export function exported(leads: readonly object[], rows = leads.length): Call[] {
  const text = fileOf(leads);
  const answer = { id: "x1", state: "done", done: rows, bytes: Buffer.byteLength(text) };
  return [
    call("export.start", { at: [200, 210], status: 202, answer: { id: "x1", state: "waiting" } }),
    call("export.read", { at: [220, 230], about: { id: "x1" }, answer }),
    call("export.file", { at: [240, 250], about: { id: "x1" }, answer: { text } }),
  ];
}

const chain = { chain: "c-1" };
export const refreshed = (at: Given["at"], token: string, next: string | null, error = ""): Call =>
  call("oauth.refresh", {
    at,
    about: { ...chain, token },
    ...(next === null
      ? { status: 400, answer: { error: "invalid_grant", error_description: error } }
      : { answer: { refresh_token: next, access_token: `a-${next}` } }),
  });
export const introspected = (at: Given["at"], token: string, active: boolean): Call =>
  call("oauth.introspect", { at, about: { ...chain, token }, answer: { active } });
export const revoked = (at: Given["at"], token: string): Call =>
  call("oauth.revoke", { at, about: { ...chain, token }, answer: null });

const counts = { rows: 2, created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 0 };

/** A short history in which every promise was kept. Its parts have names, so that a test can replace one. */
const KEPT: Record<string, readonly Entry[]> = {
  limit: [{ kind: "limit", burst: 2, each: 100, redis: false, instances: 2 }],
  create: [
    call("lead.create", { at: [0, 10], about: { name: "a-1" }, status: 201, answer: lead("L1", "a-1", 1) }),
  ],
  gone: [
    call("lead.create", { at: [0, 10], about: { name: "a-2" }, status: null }),
    call("lead.delete", { at: [50, 60], about: { lead: "L4" }, status: 204, answer: null }),
  ],
  change: [
    call("lead.change", {
      at: [20, 30],
      about: { lead: "L1", value: "v-1", version: 1 },
      answer: lead("L1", "a-1", 2, "v-1"),
    }),
  ],
  read: [call("lead.read", { at: [40, 50], about: { lead: "L1" }, answer: lead("L1", "a-1", 2, "v-1") })],
  note: [
    call("event.add", { at: [40, 42], about: { external: "n-1" }, status: 503 }),
    call("event.add", { at: [43, 45], about: { external: "n-1" }, status: 200, answer: { id: "e3" } }),
  ],
  upload: [
    call("import.upload", {
      at: [60, 70],
      about: { prefix: "i-1", rows: 2 },
      status: 201,
      answer: { id: "i1" },
    }),
  ],
  commit: [
    call("import.commit", {
      at: [80, 90],
      about: { id: "i1", prefix: "i-1" },
      status: 202,
      answer: { id: "i1" },
    }),
  ],
  imported: [
    call("import.read", {
      at: [100, 110],
      about: { id: "i1" },
      answer: { id: "i1", state: "done", ...counts },
    }),
  ],
  exported: exported(LISTED),
  exchange: [
    call("oauth.exchange", {
      at: [0, 10],
      about: chain,
      answer: { refresh_token: "r1", access_token: "a-r1" },
    }),
  ],
  tokens: [
    refreshed([20, 30], "r1", "r2"),
    introspected([40, 50], "a-r2", true),
    refreshed([60, 70], "r2", "r3"),
  ],
  counted: [0, 5, 100, 200].map((at) => call("counted.read", { at: [at, at + 1] })),
  first: [page("f-1", EVENTS)],
  second: [page("f-2", EVENTS)],
  list: [call("lead.list", { at: [400, 410], answer: { leads: LISTED, next_cursor: null } })],
  ready: [{ kind: "ready", name: "all-1", after: 900, within: 10_000 }],
  stored: [{ kind: "stored", leads: 3, unfinishedJobs: 0 }],
};

/** The kept history with some parts replaced, or further ones. */
export const historyWith = (parts: Record<string, readonly Entry[]> = {}): History =>
  Object.values({ ...KEPT, ...parts }).flat();
