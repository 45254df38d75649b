import assert from "node:assert/strict";
import { newId } from "../../../src/core/id.ts";
import type { KeyActor, World } from "../../world.ts";
import { idsOf, pageOf } from "./leads.ts";
import { type AnyFilter, ENUMS, randomFilter, randomFrom } from "./random-filter.ts";
import { CUSTOM, randomLead } from "./random-lead.ts";
import { type Around, matches, type View } from "./reference.ts";

export type RandomLead = ReturnType<typeof randomLead>;

const VIEWS = 12;
const AT_ONCE = 8;

export interface Compared {
  filters: number;
  /** Filters that matched some leads but not all. */
  telling: number;
  /** Filters for which service and reference disagree. */
  differing: string[];
}

/** Returns random leads whose external ids are unique. */
export const randomLeads = (random: () => number, count: number): RandomLead[] =>
  apart(Array.from({ length: count }, () => randomLead(random)));

/** An external id belongs to one lead, so each further one with it gets a number. */
function apart(leads: RandomLead[]): RandomLead[] {
  const seen = new Map<unknown, number>();
  for (const lead of leads) {
    const { external_id: id } = lead;
    if (id === null) continue;
    const n = (seen.get(id) ?? 0) + 1;
    seen.set(id, n);
    if (n > 1) lead.external_id = `${id} ${n}`;
  }
  return leads;
}

/** Compares the service with a plain reference on the same random queries over the same random leads. */
export async function compare(
  the: World,
  options: { filters: number; leads: number; seed: number; datasets?: Around["datasets"] },
): Promise<Compared> {
  const random = randomFrom(options.seed);
  const leads = randomLeads(random, options.leads);
  const datasets = options.datasets ?? new Map();
  const views = randomViews(random, [...datasets.keys()]);
  await store(the, leads, views);
  const key = await the.key();
  const sorted = leads.sort((a, b) => (a.id < b.id ? -1 : 1));
  return each(options.filters, async (compared) => {
    const filter = randomFilter(random, [...views.keys()], 3, [...datasets.keys()]);
    const dir = random() < 0.5 ? "asc" : "desc";
    const expected = sorted
      .filter((lead) => matches(filter, lead, { now: Date.now(), views, datasets }))
      .map(({ id }) => id);
    if (expected.length > 0 && expected.length < leads.length) compared.telling += 1;
    const fault = await differs(key, filter, dir, dir === "asc" ? expected : expected.reverse());
    if (fault !== undefined) compared.differing.push(fault);
  });
}

/** Compares so many random filters, several at once. */
export async function each(filters: number, one: (compared: Compared) => Promise<void>): Promise<Compared> {
  const compared: Compared = { filters: 0, telling: 0, differing: [] };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (compared.filters < filters) {
        compared.filters += 1;
        await one(compared);
      }
    }),
  );
  return compared;
}

/** Compares the first 500 leads by id and the exact total; returns the difference, if any. */
async function differs(
  key: KeyActor,
  filter: AnyFilter,
  dir: string,
  expected: readonly string[],
): Promise<string | undefined> {
  const asked = { filter, limit: 500, fields: ["id"], sort: [{ field: "id", dir }], total: "exact" };
  const page = await pageOf(await key.query({ ...asked, timezone: "America/Sao_Paulo" })).catch(
    (error: Error) => error,
  );
  if (page instanceof Error) return `${error(page)} for ${JSON.stringify(filter)}`;
  try {
    assert.deepEqual(idsOf(page), expected.slice(0, 500));
    assert.equal(page.page_info.total, expected.length);
    return undefined;
  } catch {
    return `${page.page_info.total} instead of ${expected.length} for ${JSON.stringify(filter)}`;
  }
}

export const error = ({ message }: Error): string => message.slice(0, 200);

/** Returns random views, each of which may refer to those before it. */
export function randomViews(random: () => number, datasets: readonly string[] = []): Map<string, View> {
  const views = new Map<string, View>();
  for (let n = 0; n < VIEWS; n += 1) {
    const filter = randomFilter(random, n < 3 ? [] : [...views.keys()].slice(0, 3), 1, datasets);
    views.set(newId("view"), { filter, ...(random() < 0.3 ? { search: "a" } : {}) });
  }
  return views;
}

/** Stores leads, their events, and views in a project with the custom fields and statuses of random filters. */
export async function store(
  the: World,
  leads: readonly RandomLead[],
  views: Map<string, View>,
  project = the.project.id,
): Promise<void> {
  await the.sql("UPDATE store.project SET statuses = $2 WHERE project_id = $1", [project, ENUMS]);
  for (const [key, type] of Object.entries(CUSTOM)) {
    await the.sql("INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, $2, $2, $3)", [
      project,
      key,
      type,
    ]);
  }
  const insert = async (table: string, rows: readonly Record<string, unknown>[]) => {
    const columns = Object.keys(rows[0] ?? {}).join(", ");
    await the.sql(
      `INSERT INTO store.${table} (project_id, ${columns})
       SELECT $1, ${columns} FROM jsonb_populate_recordset(NULL::store.${table}, $2::jsonb)`,
      [project, JSON.stringify(rows)],
    );
  };
  await insert(
    "lead",
    leads.map(({ events: _, ...lead }) => lead),
  );
  await insert(
    "event",
    leads.flatMap(({ id, events }) => events.map((event) => ({ lead_id: id, ...event }))),
  );
  await insert(
    "saved_view",
    [...views].map(([id, query]) => ({ id, name: id, query })),
  );
  await the.sql("ANALYZE store.lead, store.event");
}
