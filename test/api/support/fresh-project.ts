import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Draw, type Ground, USUAL } from "../filters/support/usual-queries.ts";
import { randomFrom } from "./random-filter.ts";

/** A program that has a key of one project; a string is sent as a CSV file. */
export interface Program {
  projectId: string;
  send(method: string, path: string, body?: object | string): Promise<Response>;
}

/** What a program's key may do. */
export const MAY = [
  ...(["leads:read", "leads:write", "schema:write", "datasets:read", "datasets:write"] as const),
  "datasets:import",
] as const;

/** The program that has this key. */
export const programOf = (baseUrl: string, projectId: string, key: string): Program => ({
  projectId,
  send: (method, path, body) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined
          ? {}
          : { "Content-Type": typeof body === "string" ? "text/csv" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }),
});

/** Something that is asked of a project. */
export interface Question {
  name: string;
  path: string;
  /** Without it, the question is a GET. */
  body?: object;
}

/** The projects of a fresh installation: one that is filled by calls, and one into which a file is imported. */
export const SIZES = { called: 450, imported: 10_500 };

const CITIES = ["Berlin", "Porto", "Recife", "Lyon", "Turin", "Gdansk"];
const STATUSES = ["new", "contacted", "qualified", "won", "lost"];
const SOURCES = ["website", "referral", "event", "ads", "partner"];
const TYPES = ["email.opened", "call.made", "meeting.held"];
const ROWS = 60;

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const of = (list: readonly string[], n: number): string => list[n % list.length] ?? "";

const leadOf = (n: number) => ({
  external_id: `ext-${n}`,
  name: `Ana Person${n}`,
  email: `ana.person${n}@firm${n % 90}.example`,
  phone: `+49 30 ${String(n).padStart(8, "0")}`,
  company: `Firm ${n % 90}`,
  city: of(CITIES, n),
  status: of(STATUSES, n),
  source: of(SOURCES, n >> 2),
  score: n % 101,
});

/** Returns the JSON of an answer, which must be a success. */
async function done<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  const text = await response.text();
  assert.ok(response.ok, `${response.url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

async function ended({ send }: Program, what: "imports" | "jobs", id: string): Promise<void> {
  for (;;) {
    const { state } = await done<{ state: string }>(send("GET", `/api/v1/${what}/${id}`));
    if (["done", "undone"].includes(state)) return;
    assert.ok(!["failed", "cancelled"].includes(state), state);
    await sleep(30);
  }
}

/** Starts what is done to an import, and waits until it is done. */
export async function act(program: Program, id: string, how: "commit" | "undo"): Promise<void> {
  await done(program.send("POST", `/api/v1/imports/${id}/${how}`));
  await ended(program, "imports", id);
}

const FIELDS = [
  ["plan", "text"],
  ["segment", "text"],
  ["seats", "integer"],
  ["budget", "number"],
  ["renewal", "date"],
] as const;

/** Fills a new project by calls: leads with their events, and two datasets, the rows of one from a file. */
export async function fillByCalls(program: Program): Promise<void> {
  const { send } = program;
  const post = (path: string, body: object | string) => done<{ id: string }>(send("POST", path, body));
  for (const [key, type] of FIELDS) await post("/api/v1/fields", { key, label: key, type });
  const items = range(SIZES.called).map((n) => ({
    ...leadOf(n),
    tags: [`tag${n % 30}`, `tag${30 + (n % 30)}`],
    custom: { plan: of(["free", "pro", "team"], n), seats: n % 200 },
  }));
  await post("/api/v1/leads/bulk", { op: "upsert", match_on: ["external_id"], items });
  for (let from = 0; from < SIZES.called; from += 90) {
    const some = range(SIZES.called).slice(from, from + 90);
    const events = some.map((n) => ({
      ...{ lead: { external_id: `ext-${n}` }, type: of(TYPES, n), data: { minutes: n % 60 } },
    }));
    await post("/api/v1/events/batch", { events });
  }
  const columns = [
    { key: "customer", type: "text" },
    { key: "amount", type: "number" },
  ];
  const lead_link = { column: "customer", match: "external_id" };
  for (const key of ["orders", "visits"]) await post("/api/v1/datasets", { key, columns, lead_link });
  const rows = range(ROWS).map((n) => ({ customer: `ext-${n * 5}`, amount: n * 80 }));
  await post("/api/datasets/orders/rows/", { rows, mode: "insert" });
  const lines = rows.map(({ customer, amount }) => `${customer},${amount}\n`);
  const { id } = await post("/api/datasets/visits/import/", `customer,amount\n${lines.join("")}`);
  await ended(program, "imports", id);
}

/** Fills a new project with the leads of a file; returns the import's id. */
export async function fillByImport(program: Program): Promise<string> {
  const { send } = program;
  for (const [key, type] of FIELDS) await done(send("POST", "/api/v1/fields", { key, label: key, type }));
  const lines = range(SIZES.imported).map((n) => Object.values(leadOf(n)).join(","));
  const names = Object.keys(leadOf(0));
  const { id } = await done<{ id: string }>(
    send("POST", "/api/v1/imports", `${names.join(",")}\n${lines.join("\n")}\n`),
  );
  const columns = Object.fromEntries(names.map((name) => [name, name]));
  await done(send("PUT", `/api/v1/imports/${id}/mapping`, { columns }));
  await act(program, id, "commit");
  return id;
}

/** Sets the campaign of all leads of the import, by a job. */
export async function setAll(program: Program, campaign: string): Promise<void> {
  const filter = { and: [] };
  const body = { op: "set", set: { campaign }, filter, expected_count: SIZES.imported };
  const { id } = await done<{ id: string }>(program.send("POST", "/api/v1/leads/bulk", body));
  await ended(program, "jobs", id);
}

/** Questions that the usual ones have in another form, or that need values of the benchmarks' data. */
const ELSEWHERE = /^(rows of a dataset|duplicates of a lead|a phone)/;

/** What people and programs ask of a project; with `datasets`, also by their rows. */
export async function questionsOf(
  { send, projectId }: Program,
  { leads, datasets }: { leads: number; datasets: boolean },
): Promise<Question[]> {
  const page = await done<{ leads: { id: string }[]; next_cursor: string }>(
    send("POST", "/api/v1/leads/search", { limit: 20 }),
  );
  const feed = await done<{ next_cursor: string }>(send("GET", "/api/v1/events?limit=100"));
  const filter = { field: "score", op: "gte", value: 50 };
  const view = await done<{ id: string }>(
    send("POST", "/api/v1/views", { name: crypto.randomUUID(), query: { filter } }),
  );
  const lead = page.leads[0]?.id ?? "";
  const ground: Ground = {
    project: { id: projectId, leads, busiest: lead, madeAt: new Date() },
    words: { first: ["Ana"], last: ["Person17"], company: ["Firm 7"], city: CITIES, title: ["Engineer"] },
    views: [view.id, view.id],
    searchCursor: page.next_cursor,
    feedCursor: feed.next_cursor,
  };
  const draw = new Draw(randomFrom(7));
  return [
    ...(datasets ? byRows(projectId) : []),
    ...USUAL.filter(({ name }) => !ELSEWHERE.test(name)).map((usual) => {
      return { name: usual.name, ...usual.ask(draw, ground) };
    }),
    { name: "duplicates of a lead", path: `/api/v1/leads/${lead}/duplicates` },
    { name: "history", path: "/api/v1/changes?limit=50" },
    { name: "usage", path: "/api/v1/usage" },
    { name: "export", path: "/api/leads/export/", body: { project_id: projectId, format: "csv" } },
  ];
}

/** Questions about leads by the rows of both datasets. */
function byRows(projectId: string): Question[] {
  const where = { field: "amount", op: "gte", value: 3_000 };
  const search = (name: string, filter: object): Question => {
    return { name, path: "/api/v1/leads/search", body: { filter } };
  };
  const rows = (key: string, more: object = { where }) => ({ dataset: { key, ...more } });
  const both = [rows("orders"), rows("visits")];
  return [
    ...["orders", "visits"].flatMap((key) => {
      const filter = rows(key);
      return [
        search(`leads with ${key}`, rows(key, {})),
        search(`leads with some ${key}`, filter),
        search(`leads without ${key}`, rows(key, { count: { op: "eq", value: 0 } })),
        search(`leads with several ${key}`, rows(key, { count: { op: "gte", value: 2 } })),
        search(`leads with other ${key}`, { not: filter }),
        search(`leads with some ${key}, or won`, {
          or: [filter, { field: "status", op: "eq", value: "won" }],
        }),
        { name: `the number with ${key}`, path: "/api/v1/leads/count", body: { filter } },
        {
          ...{ name: `some ${key} and the total`, path: "/api/leads/query/" },
          body: { project_id: projectId, filter },
        },
        {
          ...{ name: `figures of ${key}`, path: "/api/v1/leads/aggregate" },
          body: { group_by: [{ field: "status" }], filter },
        },
        {
          ...{ name: `export of ${key}`, path: "/api/leads/export/" },
          body: { project_id: projectId, format: "csv", filter },
        },
        { name: `rows of ${key}`, path: `/api/datasets/${key}/query/`, body: { filter: where } },
      ];
    }),
    search("leads with both", { and: both }),
    search("leads with one of both", { or: both }),
  ];
}

/** Asks one question; returns the status and how long the answer took, in milliseconds. */
export async function ask(
  { send }: Program,
  { path, body }: Question,
): Promise<{ status: number; ms: number; text: string }> {
  const began = performance.now();
  const response = await send(body === undefined ? "GET" : "POST", path, body);
  const text = await response.text();
  return { status: response.status, ms: performance.now() - began, text };
}
