import assert from "node:assert/strict";
import { bodyOf } from "../../api/support/v1.ts";
import { atEndOfFile } from "../../ends.ts";
import { acted, uploaded } from "../../imports/support/uploading.ts";
import { Caller } from "../../mcp/support/using.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import type { Case } from "./cases.ts";
import type { Given, Told } from "./check.ts";
import type { Addresses, Row } from "./rows.ts";

/** What all ways in have in common. */
export interface Entrance {
  the: World;
  key: KeyActor;
  caller: Caller;
}

/** A way in for records. */
export interface Way {
  /** Whether it makes the project's leads itself, by the same call. */
  makes: boolean;
  takes(row: Row): boolean;
  /** Gives the record of each case. */
  give(entrance: Entrance, cases: readonly Case[]): Promise<Given[]>;
}

let opened: Promise<Entrance> | undefined;

/** Returns the project and the callers that all tests of a file share. */
export async function entrance(): Promise<Entrance> {
  opened ??= open();
  return await opened;
}

async function open(): Promise<Entrance> {
  // The process goes on with other files, whose service is another one.
  atEndOfFile(() => {
    opened = undefined;
  });
  const the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  return { the, key, caller: await Caller.in(the) };
}

export interface Item {
  status: number;
  id: string | null;
  outcome: string;
  error: { code: string; details: Told[] } | null;
  warnings?: Told[];
}

interface Refused {
  error: { code: string; details: Told[] };
}

/** Returns the warnings in a response's header. */
export const warningsOf = (answer: Response): Told[] =>
  JSON.parse(answer.headers.get("x-leadgate-warning") ?? "[]") as Told[];

export async function upsert(key: KeyActor, lead: object, more: object = {}): Promise<Given> {
  const answer = await key.send("PUT", "/api/v1/leads/upsert", { lead, ...more });
  const body = (await answer.json()) as Refused & { id: string };
  if (answer.status >= 400) {
    const { code, details } = body.error;
    assert.equal(answer.status, 409, JSON.stringify(body));
    return { failed: true, code, details };
  }
  const outcome = answer.headers.get("x-leadgate-outcome") ?? undefined;
  return { failed: false, outcome, id: body.id, warnings: warningsOf(answer) };
}

export async function bulkUpsert(
  key: KeyActor,
  items: readonly object[],
  more: object = {},
): Promise<Given[]> {
  const answer = await key.send("POST", "/api/v1/leads/bulk", { op: "upsert", items, ...more });
  const { results } = await bodyOf<{ results: Item[] }>(answer);
  return results.map(({ status, id, outcome, error, warnings }, i) => {
    if (error === null) return { failed: false, outcome, id: id ?? undefined, warnings: warnings ?? [] };
    assert.equal(status, 409, JSON.stringify(error));
    const ofItem = error.details.every(({ path }) => /^\$\.(lead|items\[\d+\])\./.test(path));
    assert.ok(ofItem, `item ${i}: ${JSON.stringify(error.details)}`);
    return { failed: true, code: error.code, details: error.details };
  });
}

const COLUMNS = ["external_id", "email", "phone", "emails", "phones", "name", "source"] as const;

/** Returns a file of the leads, whose cells hold lists with semicolons. */
export function fileOf(leads: readonly object[], columns: readonly string[] = COLUMNS): string {
  const cell = (lead: object, column: string): string => {
    const value = (lead as Record<string, unknown>)[column];
    return Array.isArray(value) ? value.join(";") : String(value ?? "");
  };
  const rows = leads.map((lead) => columns.map((column) => cell(lead, column)).join(","));
  return `${[columns.join(","), ...rows].join("\n")}\n`;
}

interface FailedRow {
  row: number;
  errors: { column: string; code: string; message: string }[];
}

/** Imports the file; returns its failed rows by line. */
export async function importFile(
  the: World,
  key: KeyActor,
  file: string,
  mapping?: object,
): Promise<{ id: string; failures: Map<number, FailedRow["errors"]> }> {
  const { id, state } = await uploaded(the, key, file);
  if (mapping !== undefined) await bodyOf(await key.send("PUT", `/api/v1/imports/${id}/mapping`, mapping));
  else assert.equal(state, "ready");
  const done = await acted(key, id, "commit");
  assert.equal(done.state, "done", JSON.stringify(done.error));
  const { errors } = await bodyOf<{ errors: FailedRow[] }>(
    await key.send("GET", `/api/v1/imports/${id}/errors?limit=200`),
  );
  return { id, failures: new Map(errors.map(({ row, errors: faults }) => [row, faults])) };
}

/** The answer where an earlier record of the same call failed that makes a lead of the row. */
const UNMADE: Given = { failed: true, code: "a lead of the row was not made" };

/** Imports the records as one file; `last` are their indexes among the file's rows. */
async function importRecords(
  { the, key }: Entrance,
  leads: readonly object[],
  last: readonly number[],
): Promise<Given[]> {
  const { failures } = await importFile(the, key, fileOf(leads));
  return last.map((index, n) => {
    const earlier = (last[n - 1] ?? -1) + 1;
    const unmade = [...failures.keys()].some((row) => row - 2 >= earlier && row - 2 < index);
    if (unmade) return UNMADE;
    const faults = failures.get(index + 2);
    if (faults === undefined) return { failed: false };
    return { failed: true, code: faults[0]?.code, columns: faults.map(({ column }) => column) };
  });
}

/** Returns all warnings in an answer, wherever they are. */
export function heldIn(value: unknown): Told[] {
  if (typeof value !== "object" || value === null) return [];
  if ("code" in value && value.code === "held") return [value as Told];
  return Object.values(value).flatMap(heldIn);
}

/** Writes one lead as an assistant. */
export async function assisted(caller: Caller, lead: object, more: object = {}): Promise<Given> {
  const args = { action: "upsert", leads: [lead], ...more };
  const answer = await caller.call("write_leads", args);
  const [failure] = (answer.failures ?? []) as { candidates?: string[] }[];
  if (failure !== undefined) return { failed: true, candidates: failure.candidates ?? [] };
  const { rows } = answer.written as { rows: [number, string, string][] };
  const [, outcome, id] = rows[0] ?? [];
  return { failed: false, outcome, id, warnings: heldIn(answer) };
}

const everyRow = () => true;
const madeByUpserts = ({ merged, deleted, isPlain }: Row) =>
  merged === undefined && deleted === undefined && isPlain !== true;
const REFERENCES = ["external_id", "email", "phone"];
const givesOne = ({ given }: Row) => {
  const [field = "", ...more] = Object.keys(given);
  return more.length === 0 && REFERENCES.includes(field);
};

/** Gives the records one after the other. */
const each =
  (give: (entrance: Entrance, one: Case) => Promise<Given>): Way["give"] =>
  async (entrance_, cases) => {
    const given: Given[] = [];
    for (const one of cases) given.push(await give(entrance_, one));
    return given;
  };

export const WAYS: Readonly<Record<string, Way>> = {
  "an upsert": { makes: false, takes: everyRow, give: each(({ key }, { given }) => upsert(key, given)) },
  "a bulk upsert of one item": {
    ...{ makes: false, takes: everyRow },
    give: each(async ({ key }, { given }) => only(await bulkUpsert(key, [given]))),
  },
  "a bulk upsert of all records": {
    ...{ makes: false, takes: everyRow },
    give: ({ key }, cases) =>
      bulkUpsert(
        key,
        cases.map(({ given }) => given),
      ),
  },
  "a bulk upsert that makes the leads, too": {
    ...{ makes: true, takes: madeByUpserts },
    give: each(async ({ key }, { leads, given }) => {
      const all = await bulkUpsert(key, [...leads, given]);
      return all.slice(0, -1).some(({ failed }) => failed) ? UNMADE : only(all.slice(-1));
    }),
  },
  "an import": {
    ...{ makes: false, takes: everyRow },
    give: (entrance_, cases) =>
      importRecords(
        entrance_,
        cases.map(({ given }) => given),
        [...cases.keys()],
      ),
  },
  "an import whose earlier rows make the leads": {
    ...{ makes: true, takes: madeByUpserts },
    give: (entrance_, cases) => {
      const last = cases.map((_, n) => cases.slice(0, n + 1).reduce((sum, one) => sum + one.leads.length, n));
      return importRecords(
        entrance_,
        cases.flatMap(({ leads, given }) => [...leads, given]),
        last,
      );
    },
  },
  "write_leads of an assistant": {
    ...{ makes: false, takes: everyRow },
    give: each(({ caller }, { given }) => assisted(caller, given)),
  },
};

const only = ([given]: readonly Given[]): Given => given ?? { failed: true };

/** Records an event of the lead that each record's only address refers to. */
export const EVENTS: Way = {
  ...{ makes: false, takes: givesOne },
  give: async ({ key }, cases) => {
    const events = cases.map(({ given: { source: _, ...lead } }) => ({ type: "call.made", lead }));
    return await recordEvents(key, events);
  },
};

async function recordEvents(
  key: KeyActor,
  events: readonly { type: string; lead: Addresses }[],
): Promise<Given[]> {
  const answer = await key.send("POST", "/api/v1/events/batch", { events });
  const { results } = await bodyOf<{ results: (Item & { lead_id: string | null })[] }>(answer);
  return results.map(({ lead_id: id, error }) =>
    error === null
      ? { failed: false, id: id ?? undefined }
      : { failed: true, code: error.code, candidates: error.details.map(({ message }) => message) },
  );
}
