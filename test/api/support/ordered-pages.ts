import assert from "node:assert/strict";
import { type CustomFieldType, TYPE_IN_FILTERS } from "../../../src/contract/lists/column-types.ts";
import { newId } from "../../../src/core/id.ts";
import { EMAIL_DOMAIN, formOf } from "../../../src/domain/fields/index-form.ts";
import { FIELD_BY_NAME } from "../../../src/domain/fields/lead-field.ts";
import { built, want } from "../../field-indexes/support/indexes.ts";
import type { KeyActor, World, WorldOptions } from "../../world.ts";
import { idsOf, pageOf } from "./leads.ts";
import { type Compared, each, error, type RandomLead, randomLeads, randomViews, store } from "./oracle.ts";
import { type AnyFilter, pick, randomFilter, randomFrom, randomSearch } from "./random-filter.ts";
import { CUSTOM } from "./random-lead.ts";
import { finds, matches, type View } from "./reference.ts";
import { ordered, type Sort } from "./reference-order.ts";
import { bodyOf } from "./v1.ts";

/** Fields that leads can be sorted by, of every type. */
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
  ],
  ...["id", "score", "value", "version", "do_not_contact"],
  ...["created_at", "updated_at", "last_activity_at", "consent_at"],
  ...Object.keys(CUSTOM).map((key) => `custom.${key}`),
];

/** The world of a project that may have indexes of all fields, however small it is. */
export const ALL_INDEXES: WorldOptions = {
  config: { fewestIndexedLeads: 0, fieldIndexes: { perProject: 200, leads: 100_000_000 } },
};

interface Asked {
  filter?: AnyFilter;
  search?: string;
  sort: Sort[];
}

interface Options {
  filters: number;
  leads: number;
  seed: number;
}

/**
 * Compares searches, read by cursor from the first page to the last, with a plain reference: random filters, search words,
 * orders and sizes of pages.
 */
export async function compareSearches(the: World, options: Options): Promise<Compared> {
  const random = randomFrom(options.seed);
  const leads = randomLeads(random, options.leads);
  const views = randomViews(random);
  await store(the, leads, views);
  const key = await the.key();
  return each(options.filters, async (compared) => {
    const asked = {
      ...randomAsked(random, views),
      ...(random() < 0.2 ? { search: randomSearch(random) } : {}),
    };
    const limit = pick(random, [3, 7, 20, 50, 200]);
    const expected = expectedIds(asked, leads, views);
    if (expected.length > 0 && expected.length < leads.length) compared.telling += 1;
    try {
      // A cursor that never ends differs, too.
      const most = expected.length + 1;
      assert.deepEqual(await cursorPages(key, { ...body(asked), limit }, most), expected);
    } catch (fault) {
      compared.differing.push(`${error(fault as Error)} for ${JSON.stringify(asked)}, limit ${limit}`);
    }
  });
}

/**
 * Compares pages by cursor and by offset of a project whose fields all have indexes with those of a twin without any, and
 * those with the reference, for random filters in random orders.
 */
export async function compareOrders(the: World, options: Options): Promise<Compared> {
  const random = randomFrom(options.seed);
  const leads = randomLeads(random, options.leads);
  const views = randomViews(random);
  const twin = newId("prj");
  await the.sql("INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Twin', 'twin')", [twin]);
  for (const project of [the.project.id, twin]) await store(the, leads, views, project);
  await indexAll(the);
  const [key, plain] = [await the.key(), await the.key(["leads:read"], twin)];
  return each(options.filters, async (compared) => {
    const asked = randomAsked(random, views);
    const [limit, offset] = [pick(random, [7, 50, 300]), pick(random, [0, 3, 40, 700])];
    const meant = expectedIds(asked, leads, views);
    if (meant.length > 0 && meant.length < leads.length) compared.telling += 1;
    try {
      const expected = await offsetPages(plain, body(asked));
      assert.deepEqual(expected, meant);
      const ids = await cursorPages(key, { ...body(asked), limit }, MOST_READ);
      assert.deepEqual(ids, expected.slice(0, ids.length));
      assert.ok(ids.length >= Math.min(expected.length, MOST_READ));
      const page = await pageOf(await key.query({ ...body(asked), limit, offset }));
      assert.deepEqual(idsOf(page), expected.slice(offset, offset + limit));
      assert.equal(page.page_info.total, expected.length);
    } catch (fault) {
      compared.differing.push(
        `${error(fault as Error)} for ${JSON.stringify(asked)}, limit ${limit}, offset ${offset}`,
      );
    }
  });
}

/** How many leads are read by cursor where their number is not what matters. */
const MOST_READ = 400;

function randomAsked(random: () => number, views: ReadonlyMap<string, View>): Asked {
  const filter = random() < 0.8 ? randomFilter(random, [...views.keys()], 2) : undefined;
  // A range is often shown in its own order, which an index can then begin and end with.
  const filtered = filter === undefined || random() < 0.6 ? [] : fieldsOf(filter);
  const sort = Array.from({ length: pick(random, [0, 1, 1, 1, 2]) }, (_, i) => ({
    field: (i === 0 ? filtered[0] : undefined) ?? pick(random, SORTED),
    ...(random() < 0.7 ? { dir: pick(random, ["asc", "desc"] as const) } : {}),
    ...(random() < 0.3 ? { nulls: pick(random, ["first", "last"] as const) } : {}),
  }));
  return { ...(filter === undefined ? {} : { filter }), sort };
}

/** The fields of a condition, or of those of a group, that leads can be sorted by. */
function fieldsOf(filter: AnyFilter): string[] {
  if ("and" in filter) return filter.and.flatMap(fieldsOf);
  return "field" in filter && SORTED.includes(filter.field) ? [filter.field] : [];
}

const body = (asked: Asked) => ({ ...asked, fields: ["id"], timezone: "America/Sao_Paulo" });

/** Returns what the reference finds, in order. */
function expectedIds(
  { filter, search = "", sort }: Asked,
  leads: readonly RandomLead[],
  views: ReadonlyMap<string, View>,
): string[] {
  const around = { now: Date.now(), views };
  const found = leads.filter(
    (lead) => (filter === undefined || matches(filter, lead, around)) && finds(search, lead),
  );
  return ordered(found, sort).map(({ id }) => id);
}

/** Builds an index of every kind on every field. */
async function indexAll(the: World): Promise<void> {
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
  await built(the, wanted.length + 1);
}

async function offsetPages(key: KeyActor, asked: object): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 500) {
    const page = await pageOf(await key.query({ ...asked, offset, limit: 500, total: "none" }));
    ids.push(...idsOf(page).map(String));
    if (!page.page_info.has_more) return ids;
  }
}

async function cursorPages(key: KeyActor, asked: object, most: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null && ids.length < most; ) {
    const page = await bodyOf<{ leads: { id: string }[]; next_cursor: string | null }>(
      await key.send("POST", "/api/v1/leads/search", cursor === undefined ? asked : { ...asked, cursor }),
    );
    ids.push(...page.leads.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}
