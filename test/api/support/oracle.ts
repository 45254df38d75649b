import assert from "node:assert/strict";
import { type CustomFieldType, TYPE_IN_FILTERS } from "../../../src/contract/lists/column-types.ts";
import { newId } from "../../../src/core/id.ts";
import { EMAIL_DOMAIN, formOf } from "../../../src/domain/fields/index-form.ts";
import { FIELD_BY_NAME } from "../../../src/domain/fields/lead-field.ts";
import { built, want } from "../../field-indexes/support/indexes.ts";
import type { KeyActor, World } from "../../world.ts";
import { idsOf, pageOf } from "./leads.ts";
import { type AnyFilter, ENUMS, randomFilter, randomFrom } from "./random-filter.ts";
import { CUSTOM, randomLead } from "./random-lead.ts";
import { type Around, matches, type View } from "./reference.ts";
import { bodyOf } from "./v1.ts";

const VIEWS = 12;
const AT_ONCE = 8;

export interface Compared {
  filters: number;
  /** Filters that matched some leads but not all. */
  telling: number;
  /** Filters for which service and reference disagree. */
  differing: string[];
}

/** An external id belongs to one lead, so each further one with it gets a number. */
function apart(leads: ReturnType<typeof randomLead>[]): typeof leads {
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
  const leads = apart(Array.from({ length: options.leads }, () => randomLead(random)));
  const datasets = options.datasets ?? new Map();
  const views = randomViews(random, [...datasets.keys()]);
  await store(the, leads, views);
  await the.sql("UPDATE store.project SET statuses = $2 WHERE project_id = $1", [the.project.id, ENUMS]);
  const key = await the.key();
  const sorted = leads.sort((a, b) => (a.id < b.id ? -1 : 1));
  const compared: Compared = { filters: 0, telling: 0, differing: [] };
  const one = async (): Promise<void> => {
    const filter = randomFilter(random, [...views.keys()], 3, [...datasets.keys()]);
    const dir = random() < 0.5 ? "asc" : "desc";
    const expected = sorted
      .filter((lead) => matches(filter, lead, { now: Date.now(), views, datasets }))
      .map(({ id }) => id);
    if (expected.length > 0 && expected.length < leads.length) compared.telling += 1;
    const fault = await differs(key, filter, dir, dir === "asc" ? expected : expected.reverse());
    if (fault !== undefined) compared.differing.push(fault);
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (compared.filters < options.filters) {
        compared.filters += 1;
        await one();
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

const error = ({ message }: Error): string => message.slice(0, 200);

/** Fields that leads can be sorted by, of every type, and those that every filter may ask for. */
const SORTED = [
  ...[
    "name",
    "email",
    "phone",
    "company",
    "city",
    "country",
    "external_id",
    "status",
    "owner_id",
    "import_id",
    "id",
  ],
  ...[
    "score",
    "value",
    "version",
    "created_at",
    "updated_at",
    "last_activity_at",
    "consent_at",
    "do_not_contact",
  ],
  ...Object.keys(CUSTOM).map((key) => `custom.${key}`),
];

/**
 * Compares pages by cursor and by offset of a project whose fields all have indexes with those of a twin without any, and
 * the leads of both with the reference, for random filters in random orders.
 */
export async function compareOrders(
  the: World,
  options: { filters: number; leads: number; seed: number },
): Promise<Compared> {
  const random = randomFrom(options.seed);
  const leads = apart(Array.from({ length: options.leads }, () => randomLead(random)));
  const views = randomViews(random, []);
  const twin = newId("prj");
  await the.sql("INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Twin', 'twin')", [twin]);
  for (const project of [the.project.id, twin]) {
    await store(the, leads, views, project);
    await the.sql("UPDATE store.project SET statuses = $2 WHERE project_id = $1", [project, ENUMS]);
  }
  const wanted = await indexAll(the);
  await built(the, wanted);
  const [key, plain] = [await the.key(), await the.key(["leads:read"], twin)];
  const compared: Compared = { filters: 0, telling: 0, differing: [] };
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const one = async (): Promise<void> => {
    const filter = random() < 0.2 ? undefined : randomFilter(random, [...views.keys()], 2, []);
    const sort = Array.from({ length: of([0, 1, 1, 1, 2]) }, () => ({
      field: of(SORTED),
      ...(random() < 0.7 ? { dir: of(["asc", "desc"]) } : {}),
      ...(random() < 0.3 ? { nulls: of(["first", "last"]) } : {}),
    }));
    const asked = { ...(filter && { filter }), sort, fields: ["id"], timezone: "America/Sao_Paulo" };
    const [limit, offset] = [of([7, 50, 300]), of([0, 3, 40, 700])];
    const now = Date.now();
    try {
      const expected = await pagesOf((more) => plain.query({ ...asked, ...more, limit: 500, total: "none" }));
      const ids = await cursorPages(key, { ...asked, limit });
      assert.deepEqual(ids, expected.slice(0, ids.length));
      assert.ok(ids.length >= Math.min(expected.length, MOST_READ));
      const page = await pageOf(await key.query({ ...asked, limit, offset }));
      assert.deepEqual(idsOf(page), expected.slice(offset, offset + limit));
      assert.equal(page.page_info.total, expected.length);
      const meant = leads.filter(
        (lead) => filter === undefined || matches(filter, lead, { now, views, datasets: new Map() }),
      );
      assert.deepEqual([...expected].sort(), meant.map(({ id }) => id).sort());
      if (expected.length > 0 && expected.length < leads.length) compared.telling += 1;
    } catch (fault) {
      compared.differing.push(
        `${error(fault as Error)} for ${JSON.stringify(asked)}, limit ${limit}, offset ${offset}`,
      );
    }
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (compared.filters < options.filters) {
        compared.filters += 1;
        await one();
      }
    }),
  );
  return compared;
}

/** How many leads of a search are read by cursor. */
const MOST_READ = 400;

/** Asks for an index of every kind on every field; returns how many there will be. */
async function indexAll(the: World): Promise<number> {
  const fields = [...FIELD_BY_NAME.values()].filter(({ name }) => name !== "custom");
  const custom = Object.entries(CUSTOM).map(([key, type]) => ({
    ...{ name: `custom.${key}`, key, column: "custom" },
    type: TYPE_IN_FILTERS[type as CustomFieldType],
  }));
  const wanted = [...fields, ...custom].flatMap((field) =>
    (["order", "parts"] as const)
      .filter((kind) => formOf(field, kind) !== undefined)
      .map((kind) => ({ field: field.name, kind })),
  );
  want(the, [...wanted, { field: EMAIL_DOMAIN, kind: "order" }]);
  return wanted.length + 1;
}

async function pagesOf(ask: (more: { offset: number }) => Promise<Response>): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 500) {
    const page = await pageOf(await ask({ offset }));
    ids.push(...idsOf(page).map(String));
    if (!page.page_info.has_more) return ids;
  }
}

async function cursorPages(key: KeyActor, body: object): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null && ids.length < MOST_READ; ) {
    const asked = { ...body, ...(cursor === undefined ? {} : { cursor }) };
    const page = await bodyOf<{ leads: { id: string }[]; next_cursor: string | null }>(
      await key.send("POST", "/api/v1/leads/search", asked),
    );
    ids.push(...page.leads.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}

/** Returns random views, each of which may refer to those before it. */
function randomViews(random: () => number, datasets: readonly string[]): Map<string, View> {
  const views = new Map<string, View>();
  for (let n = 0; n < VIEWS; n += 1) {
    const filter = randomFilter(random, n < 3 ? [] : [...views.keys()].slice(0, 3), 1, datasets);
    views.set(newId("view"), { filter, ...(random() < 0.3 ? { search: "a" } : {}) });
  }
  return views;
}

async function store(
  the: World,
  leads: readonly ReturnType<typeof randomLead>[],
  views: Map<string, View>,
  project = the.project.id,
): Promise<void> {
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
