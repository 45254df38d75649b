import type { UsualProject, wordLists } from "./usual-data.ts";

/** Draws one of a list, or a whole number from a range. */
export class Draw {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  of<T>(list: readonly T[]): T {
    const drawn = list[Math.floor(this.#random() * list.length)];
    if (drawn === undefined) throw new Error("the list is empty");
    return drawn;
  }

  /** From `low` to `high`, both included. */
  number(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1));
  }

  /** Something that no value contains. */
  nonsense(): string {
    return `zq${this.number(1_000_000, 9_999_999)}xw`;
  }
}

/** A request of the REST API; without a body a GET. */
interface Asked {
  path: string;
  body?: Record<string, unknown>;
}

/** What a query draws its values from. */
export interface Ground {
  project: UsualProject;
  words: Awaited<ReturnType<typeof wordLists>>;
  /** Ids of saved views: the second one is used in the first. */
  views: readonly [string, string];
  /** Cursors of the search far behind its beginning, and of the feed. */
  searchCursor: string;
  feedCursor: string;
}

/** A query that people or programs usually ask. */
export interface UsualQuery {
  name: string;
  /**
   * Pages must not grow with the project. Figures read what they count, so they may: aggregates, exact counts, parts of
   * words with one or two letters.
   */
  kind: "page" | "figure";
  ask(draw: Draw, ground: Ground): Asked;
}

const is = (field: string, op: string, value?: unknown) => ({
  field,
  op,
  ...(value === undefined ? {} : { value }),
});
const and = (...all: object[]) => ({ and: all });
const STATUSES = ["new", "contacted", "qualified", "won", "lost"];
const SOURCES = ["website", "referral", "event", "ads", "partner", "cold call"];
const COUNTRIES = ["DE", "BR", "US", "GB", "FR", "PT", "ES", "IT", "NL", "PL"];

const search = (body: Record<string, unknown>): Asked => ({ path: "/api/v1/leads/search", body });
const page = (
  name: string,
  filter: (draw: Draw, ground: Ground) => object,
  more: Record<string, unknown> = {},
): UsualQuery => ({
  name,
  kind: "page",
  ask: (draw, ground) => search({ filter: filter(draw, ground), ...more }),
});

const madeBefore = ({ project }: Ground, days: number): string =>
  new Date(project.madeAt.getTime() - days * 86_400_000).toISOString();

/** Standard fields that can be sorted by, and custom ones. */
const SORTED = [
  ...[
    "name",
    "first_name",
    "last_name",
    "email",
    "phone",
    "external_id",
    "job_title",
    "city",
    "country",
    "language",
  ],
  ...[
    "status",
    "lifecycle_stage",
    "score",
    "value",
    "owner_id",
    "source",
    "medium",
    "campaign",
    "utm_source",
  ],
  ...[
    "do_not_contact",
    "last_activity_at",
    "created_at",
    "version",
    "custom.plan",
    "custom.budget",
    "custom.renewal",
    "custom.segment",
  ],
] as const;

const sorted = (field: string, dir: "asc" | "desc"): UsualQuery => ({
  name: `sort by ${field}, ${dir}`,
  kind: "page",
  ask: (draw) => search({ sort: [{ field, dir }], limit: draw.of([25, 50, 100]) }),
});

/**
 * What people ask: the filter menus of CRMs, the panel's lists and boards, its dashboard, syncs and the tools of assistants.
 * Each draws its values at random.
 */
export const USUAL: readonly UsualQuery[] = [
  { name: "newest leads", kind: "page", ask: (draw) => search({ limit: draw.of([25, 50, 100]) }) },
  page("status", (draw) => is("status", "eq", draw.of(STATUSES))),
  page("status and source", (draw) =>
    and(is("status", "eq", draw.of(STATUSES)), is("source", "eq", draw.of(SOURCES))),
  ),
  page("status and source, few", () => and(is("status", "eq", "won"), is("source", "eq", "fair"))),
  page("owner, one of two statuses", (draw) =>
    and(
      is("owner_id", "eq", `person_usual${draw.number(0, 11)}`),
      is("status", "in", [draw.of(STATUSES), draw.of(STATUSES)]),
    ),
  ),
  page("one of three countries", (draw) =>
    is("country", "in", [draw.of(COUNTRIES), draw.of(COUNTRIES), draw.of(COUNTRIES)]),
  ),
  page("city", (draw, { words }) => is("city", "eq", draw.of(words.city))),
  page("city, no match", (draw) => is("city", "eq", draw.nonsense())),
  page("company contains", (draw, { words }) =>
    is("company", "contains", draw.of(words.company).slice(0, 6)),
  ),
  page("job title contains", (draw, { words }) =>
    is("job_title", "contains", draw.of(words.title).slice(0, 7)),
  ),
  page("job title contains, no match", (draw) => is("job_title", "contains", draw.nonsense())),
  page("campaign starts with", (draw) => is("campaign", "starts_with", `campaign ${draw.number(1, 4)}`)),
  page(
    "score range, highest first",
    (draw) => is("score", "between", [draw.number(50, 80), draw.number(81, 100)]),
    {
      sort: [{ field: "score", dir: "desc" }],
    },
  ),
  page("value above", (draw) => is("value", "gte", draw.number(9_000, 9_990))),
  page("custom number range", (draw) => {
    const low = draw.number(0, 190);
    return is("custom.seats", "between", [low, low + 5]);
  }),
  page("custom number range, few", (draw) =>
    is("custom.seats", "between", [5_000, 5_000 + draw.number(100, 400)]),
  ),
  page("custom text", (draw) => is("custom.plan", "eq", draw.of(["free", "pro", "team"]))),
  page("custom text, few", () => is("custom.plan", "eq", "Enterprise")),
  page("custom text contains, no match", (draw) => is("custom.segment", "contains", draw.nonsense())),
  page("custom date in the next days", (draw) =>
    is("custom.renewal", "in_next", { n: draw.number(5, 30), unit: "day" }),
  ),
  page("created in a week", (draw, ground) => {
    const back = draw.number(8, 700);
    return is("created_at", "between", [madeBefore(ground, back + 7), madeBefore(ground, back)]);
  }),
  page(
    "updated lately",
    (draw, ground) => is("updated_at", "after", madeBefore(ground, draw.number(1, 3) / 4)),
    {
      sort: [{ field: "updated_at", dir: "desc" }],
    },
  ),
  page("no activity for long", (draw) =>
    is("last_activity_at", "older_than", { n: draw.number(600, 700), unit: "day" }),
  ),
  page("never any activity", () => is("last_activity_at", "is_empty")),
  page("by company", (draw) => is("status", "neq", draw.of(STATUSES)), { sort: [{ field: "company" }] }),
  page("by a custom number, highest first", (draw) => is("status", "neq", draw.of(STATUSES)), {
    sort: [{ field: "custom.seats", dir: "desc" }],
  }),
  page("by the last change", (draw) => is("status", "eq", draw.of(STATUSES)), {
    sort: [{ field: "updated_at", dir: "desc" }],
  }),
  ...SORTED.flatMap((field) => [sorted(field, "asc"), sorted(field, "desc")]),
  page("any of two tags", (draw) =>
    is("tags", "has_any", [`tag${draw.number(0, 29)}`, `tag${draw.number(30, 59)}`]),
  ),
  page("all of two tags", (draw) =>
    is("tags", "has_all", [`tag${draw.number(0, 29)}`, `tag${draw.number(30, 59)}`]),
  ),
  page("a phone", (draw, { project }) =>
    is("phone", "eq", `030 ${String(draw.number(1, project.leads)).padStart(8, "0")}`),
  ),
  page("e-mail domain", (draw) => is("email", "domain_in", [`firm${draw.number(0, 1_999)}.example`])),
  page("e-mail domain, no match", (draw) => is("email", "domain_in", [`${draw.nonsense()}.example`])),
  page("not", (draw) =>
    and(
      { not: is("status", "eq", draw.of(STATUSES)) },
      { not: is("tags", "has_any", [`tag${draw.number(0, 59)}`]) },
    ),
  ),
  page("or of five", (draw, { words }) => ({
    or: [
      is("city", "eq", draw.of(words.city)),
      is("source", "eq", draw.of(SOURCES)),
      is("custom.plan", "eq", "enterprise"),
      is("score", "gte", draw.number(90, 100)),
      is("tags", "has_any", ["speaker"]),
    ],
  })),
  page("or of three, few", (draw) => ({
    or: [
      is("city", "eq", draw.nonsense()),
      is("custom.seats", "gte", 5_000 + draw.number(0, 100)),
      is("company", "contains", draw.nonsense()),
    ],
  })),
  page("and, or, not", (draw, { words }) =>
    and(
      { or: [is("country", "eq", draw.of(COUNTRIES)), is("city", "eq", draw.of(words.city))] },
      { or: [is("score", "lt", draw.number(5, 20)), is("value", "gt", draw.number(9_000, 9_900))] },
      { not: is("source", "in", [draw.of(SOURCES), draw.of(SOURCES)]) },
    ),
  ),
  page("a common event lately", (draw) => ({
    event: {
      type: "email.opened",
      occurred: { op: "in_last", value: { n: draw.number(20, 60), unit: "day" } },
    },
  })),
  page("a rare event", () => ({ event: { type: "contract.signed" } })),
  page("an event that never happened", (draw) => ({ event: { type: `never.${draw.nonsense()}` } })),
  page("without a common event", () => ({ event: { type: "email.opened", count: { op: "eq", value: 0 } } })),
  page("at least some calls", (draw) => ({
    event: { type: "call.made", count: { op: "gte", value: draw.number(2, 4) } },
  })),
  page("last event of a kind", (draw) => ({
    event: { type: "meeting.held", pick: "last", where: is("data.minutes", "gte", draw.number(30, 50)) },
  })),
  page("no event of a kind lately", (draw) =>
    and(is("status", "eq", "contacted"), {
      event: {
        type: "call.*",
        occurred: { op: "not_in_last", value: { n: draw.number(20, 60), unit: "day" } },
      },
    }),
  ),
  page("rows of a dataset", (draw) => ({
    dataset: { key: "orders", where: is("amount", "gte", draw.number(4_000, 4_900)) },
  })),
  page("rows of a dataset, few", (draw) => ({
    dataset: { key: "orders", where: is("customer", "eq", `ext-${draw.number(1, 1_000) * 5}`) },
  })),
  page("a view within a view", (_draw, { views }) => ({ view: views[0] })),
  {
    name: "a cursor far behind the beginning",
    kind: "page",
    ask: (draw, { searchCursor }) => search({ cursor: searchCursor, limit: draw.of([25, 50, 100]) }),
  },
  {
    name: "a page by offset with its total",
    kind: "page",
    ask: (draw, { project }) => ({
      path: "/api/leads/query/",
      body: {
        project_id: project.id,
        offset: draw.number(0, 40) * 50,
        filter: is("status", "in", [draw.of(STATUSES), draw.of(STATUSES)]),
      },
    }),
  },
  {
    name: "a page without a filter, with its total",
    kind: "page",
    ask: (draw, { project }) => ({
      path: "/api/leads/query/",
      body: { project_id: project.id, offset: draw.number(0, 40) * 50 },
    }),
  },
  { name: "words: one", kind: "page", ask: (draw, { words }) => search({ search: draw.of(words.last) }) },
  {
    name: "words: three",
    kind: "page",
    ask: (draw, { words }) =>
      search({
        search: `${draw.of(words.first)} ${draw.of(words.last)} ${draw.of(words.company).slice(0, 5)}`,
      }),
  },
  { name: "words: none match", kind: "page", ask: (draw) => search({ search: draw.nonsense() }) },
  {
    name: "words: two letters",
    kind: "figure",
    ask: (draw) => search({ search: draw.of(["qx", "zj", "an", "mü", "vq"]) }),
  },
  {
    name: "a timeline of 10,000 events",
    kind: "page",
    ask: (draw, { project }) => ({
      path: `/api/v1/leads/${project.busiest}/events?limit=${draw.of([25, 50, 100])}`,
    }),
  },
  {
    name: "the feed from an old cursor",
    kind: "page",
    ask: (draw, { feedCursor }) => ({
      path: `/api/v1/events?limit=${draw.of([100, 200])}&cursor=${encodeURIComponent(feedCursor)}`,
    }),
  },
  {
    name: "duplicates of a lead",
    kind: "page",
    ask: (draw, { project }) => ({
      path: `/api/v1/leads/lead_${draw.number(1, project.leads).toString(16).padStart(26, "0")}/duplicates`,
    }),
  },
  {
    name: "all duplicates",
    kind: "figure",
    ask: (draw) => ({ path: `/api/v1/leads/duplicates?by=${draw.of(["email", "phone"])}` }),
  },
  {
    name: "created by day",
    kind: "figure",
    ask: (draw) => ({
      path: "/api/v1/leads/aggregate",
      body: {
        group_by: [{ field: "created_at" }],
        filter: is("created_at", "in_last", { n: draw.number(30, 90), unit: "day" }),
      },
    }),
  },
  {
    name: "value by status and source",
    kind: "figure",
    ask: (draw) => ({
      path: "/api/v1/leads/aggregate",
      body: {
        group_by: [{ field: "status" }, { field: draw.of(["source", "country", "medium"]) }],
        metrics: [{ op: "count" }, { op: "sum", field: "value" }],
      },
    }),
  },
  {
    name: "response times by source",
    kind: "figure",
    ask: (draw) => ({
      path: "/api/v1/leads/response-times",
      body: {
        group_by: [{ field: "source" }],
        filter: is("created_at", "in_last", { n: draw.number(30, 90), unit: "day" }),
      },
    }),
  },
  {
    name: "an exact count",
    kind: "figure",
    ask: (draw) => ({
      path: "/api/v1/leads/count",
      body: { exact: true, filter: is("status", "eq", draw.of(STATUSES)) },
    }),
  },
  {
    name: "a bounded count",
    kind: "page",
    ask: (draw) => ({ path: "/api/v1/leads/count", body: { filter: is("source", "eq", draw.of(SOURCES)) } }),
  },
];
