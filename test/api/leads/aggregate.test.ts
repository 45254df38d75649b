import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Groups {
  groups: {
    key: Record<string, unknown>;
    metrics: Record<string, number | string | null>;
    by_currency?: Record<string, Record<string, number>>;
  }[];
  total_groups: number;
}

const aggregate = async (key: KeyActor, body: object): Promise<Groups> =>
  await bodyOf<Groups>(await key.send("POST", "/api/v1/leads/aggregate", body));

test("figures are computed by group, leads without a value as the group null", async () => {
  await using the = await world();
  const key = await the.key();
  await addLeads(the, [
    { source: "ads", value: 0.1, score: 1, owner_id: "a", tags: ["hot", "vip"] },
    { source: "ads", value: 0.2, score: 4, owner_id: "a", tags: ["hot"] },
    { source: "", value: 5 },
    { value: null, owner_id: "b" },
    { source: "fair", deleted_at: new Date() },
  ]);
  assert.deepEqual(await aggregate(key, {}), {
    groups: [{ key: {}, metrics: { count: 4 } }],
    total_groups: 1,
  });
  const metrics = [
    { op: "count" },
    { op: "sum", field: "value" },
    { op: "avg", field: "score" },
    { op: "max", field: "score" },
    { op: "min", field: "value" },
    { op: "count_distinct", field: "owner_id" },
    { op: "count", field: "score" },
  ];
  const ads = {
    count: 2,
    sum_value: 0.3,
    avg_score: 2.5,
    max_score: 4,
    min_value: 0.1,
    count_distinct_owner_id: 1,
    count_score: 2,
  };
  const none = {
    count: 2,
    sum_value: 5,
    avg_score: null,
    max_score: null,
    min_value: 5,
    count_distinct_owner_id: 1,
    count_score: 0,
  };
  assert.deepEqual(await aggregate(key, { group_by: [{ field: "source" }], metrics }), {
    groups: [
      {
        key: { source: "ads" },
        metrics: ads,
        by_currency: { sum_value: { "": 0.3 }, min_value: { "": 0.1 } },
      },
      { key: { source: null }, metrics: none, by_currency: { sum_value: { "": 5 }, min_value: { "": 5 } } },
    ],
    total_groups: 2,
  });
  const tags = await aggregate(key, { group_by: [{ field: "tags" }], limit: 2 });
  assert.deepEqual(tags, {
    groups: [
      { key: { tags: "hot" }, metrics: { count: 2 } },
      { key: { tags: null }, metrics: { count: 2 } },
    ],
    total_groups: 3,
  });
});

test("dates are put into buckets in the zone, also where its clocks change", async () => {
  await using the = await world();
  const key = await the.key();
  const at = [
    "2026-03-29T00:30:00+01:00", // Berlin's clocks go forward this night
    "2026-03-29T23:30:00+02:00",
    "2026-03-30T00:30:00+02:00",
    "2026-10-25T02:30:00+02:00", // and back in this one: 02:30 occurs twice
    "2026-10-25T02:30:00+01:00",
    "2026-12-31T23:30:00+01:00",
  ];
  await addLeads(
    the,
    at.map((created_at) => ({ created_at })),
  );
  const buckets = async (interval: string, timezone: string) => {
    const { groups } = await aggregate(key, { group_by: [{ field: "created_at" }], interval, timezone });
    return Object.fromEntries(groups.map(({ key: { created_at }, metrics }) => [created_at, metrics.count]));
  };
  assert.deepEqual(await buckets("day", "Europe/Berlin"), {
    "2026-03-29": 2,
    "2026-03-30": 1,
    "2026-10-25": 2,
    "2026-12-31": 1,
  });
  assert.deepEqual(await buckets("day", "Pacific/Auckland"), {
    "2026-03-29": 1,
    "2026-03-30": 2,
    "2026-10-25": 2,
    "2027-01-01": 1,
  });
  assert.deepEqual(await buckets("week", "Europe/Berlin"), {
    "2026-03-23": 2,
    "2026-03-30": 1,
    "2026-10-19": 2,
    "2026-12-28": 1,
  });
  assert.deepEqual(await buckets("quarter", "Europe/Berlin"), { "2026-01-01": 3, "2026-10-01": 3 });
  assert.deepEqual(await buckets("year", "Asia/Tokyo"), { "2026-01-01": 5, "2027-01-01": 1 });
});

test("custom fields group and are measured by their types; groups are ordered and cut as asked", async () => {
  await using the = await world();
  const key = await the.key();
  for (const [name, type] of [
    ["plan", "text"],
    ["seats", "integer"],
    ["paid", "boolean"],
    ["since", "date"],
  ]) {
    await the.sql("INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, $2, $2, $3)", [
      the.project.id,
      name,
      type,
    ]);
  }
  await addLeads(the, [
    { custom: { plan: "pro", seats: 3, paid: true, since: "2026-05-04" } },
    { custom: { plan: "pro", seats: 4, paid: false, since: "2026-05-30" } },
    { custom: { plan: "free", seats: "none" } },
  ]);
  const metrics = [
    { op: "sum", field: "custom.seats" },
    { op: "max", field: "created_at" },
  ];
  const { groups } = await aggregate(key, {
    group_by: [{ field: "custom.plan" }, { field: "custom.since", interval: "month" }],
    metrics,
    sort: [{ field: "sum_custom.seats", dir: "asc" }],
  });
  assert.deepEqual(
    groups.map(({ key, metrics }) => [key, metrics["sum_custom.seats"]]),
    [
      [{ "custom.plan": "pro", "custom.since": "2026-05-01" }, 7],
      [{ "custom.plan": "free", "custom.since": null }, null],
    ],
  );
  assert.match(String(groups[0]?.metrics.max_created_at), /\+00:00$/);
  const paid = await aggregate(key, {
    group_by: [{ field: "custom.paid" }],
    sort: [{ field: "custom.paid", dir: "desc" }],
  });
  assert.deepEqual(
    paid.groups.map(({ key }) => key["custom.paid"]),
    [true, false, null],
  );
});

test("amounts of several currencies are never one figure, and a lead without a currency has the project's", async () => {
  await using the = await world();
  const key = await the.key();
  await the.sql("UPDATE store.project SET currency = 'BRL'");
  await addLeads(the, [
    { source: "Ads", value: 100, currency: null },
    { source: "ads", value: 50, currency: "BRL" },
    { source: "ads", value: 1_000, currency: "JPY", do_not_contact: true },
    { source: "fair", value: 900, currency: "JPY" },
    { source: "fair", value: null, currency: "USD" },
    { source: "web", value: 300, currency: null },
    { source: "post", value: null, currency: null },
  ]);
  const ops = ["sum", "avg", "median", "min", "max"];
  const metrics = [{ op: "count" }, ...ops.map((op) => ({ op, field: "value" }))];
  const of = (...amounts: (number | null)[]) =>
    Object.fromEntries(ops.map((op, i) => [`${op}_value`, amounts[i] ?? null]));
  const each = (amounts: Record<string, number[]>) =>
    Object.fromEntries(
      ops.map((op, i) => [
        `${op}_value`,
        Object.fromEntries(Object.entries(amounts).map(([currency, values]) => [currency, values[i]])),
      ]),
    );
  const [real, yen] = [
    [150, 75, 75, 50, 100],
    [1_000, 1_000, 1_000, 1_000, 1_000],
  ];
  const sums = { metrics, group_by: [{ field: "source", alike: true }] };
  assert.deepEqual(await aggregate(key, { ...sums, sort: [{ field: "sum_value", dir: "desc" }] }), {
    groups: [
      {
        key: { source: "web" },
        metrics: { count: 1, ...of(300, 300, 300, 300, 300) },
        by_currency: each({ BRL: [300, 300, 300, 300, 300] }),
      },
      {
        key: { source: "Ads" },
        metrics: { count: 3, ...of() },
        by_currency: each({ BRL: real, JPY: yen }),
      },
      {
        key: { source: "fair" },
        metrics: { count: 2, ...of(900, 900, 900, 900, 900) },
        by_currency: each({ JPY: [900, 900, 900, 900, 900] }),
      },
      { key: { source: "post" }, metrics: { count: 1, ...of() }, by_currency: each({}) },
    ],
    total_groups: 4,
  });
  const [all] = (await aggregate(key, { metrics: [{ op: "sum", field: "value" }] })).groups;
  assert.deepEqual(all, {
    key: {},
    metrics: { sum_value: null },
    by_currency: { sum_value: { BRL: 450, JPY: 1_900 } },
  });
  const none = { field: "source", op: "eq", value: "nowhere" };
  assert.deepEqual(await aggregate(key, { metrics: [{ op: "sum", field: "value" }], filter: none }), {
    groups: [{ key: {}, metrics: { sum_value: null }, by_currency: { sum_value: {} } }],
    total_groups: 1,
  });
  const byFlag = await aggregate(key, {
    metrics: [{ op: "max", field: "value" }],
    group_by: [{ field: "do_not_contact" }, { field: "created_at", interval: "year" }],
  });
  assert.deepEqual(
    byFlag.groups.map((group) => [
      group.key.do_not_contact,
      group.metrics.max_value,
      group.by_currency?.max_value,
    ]),
    [
      [false, null, { BRL: 300, JPY: 900 }],
      [true, 1_000, { JPY: 1_000 }],
    ],
  );
});

test("other figures are the same beside sums of several currencies as alone", async () => {
  await using the = await world();
  const key = await the.key();
  const currencies = ["BRL", "JPY", null];
  const leads = Array.from({ length: 40 }, (_, n) => ({
    source: [null, "ads", "Ads", "fair"][n % 4],
    currency: currencies[n % 3],
    value: n % 7 === 0 ? null : n / 8,
    score: n % 5 === 0 ? null : (n * n) % 100,
    created_at: new Date(Date.UTC(2026, 0, 1 + ((n * 7) % 31))),
  }));
  await addLeads(the, leads);
  const others = [
    { op: "count" },
    { op: "count", field: "score" },
    { op: "count", as: "high", filter: { field: "score", op: "gte", value: 50 } },
    { op: "sum", field: "score" },
    { op: "min", field: "score" },
    { op: "max", field: "created_at" },
  ];
  const whole = [
    { op: "avg", field: "score" },
    { op: "median", field: "score" },
    { op: "count_distinct", field: "score" },
  ];
  const money = { op: "sum", field: "value" };
  for (const metrics of [others, [...others, ...whole]])
    for (const group_by of [[], [{ field: "source" }], [{ field: "source", alike: true }]])
      for (const filter of [undefined, { field: "source", op: "eq", value: "nowhere" }]) {
        const body = { group_by, ...(filter === undefined ? {} : { filter }) };
        const alone = await aggregate(key, { ...body, metrics });
        const beside = await aggregate(key, { ...body, metrics: [...metrics, money] });
        const shown = beside.groups.map(({ key: of, metrics: { sum_value: _, ...rest } }) => ({
          key: of,
          metrics: rest,
        }));
        assert.deepEqual(shown, alone.groups);
        assert.equal(beside.total_groups, alone.total_groups);
      }
});

test("a metric counts only leads of its filter, by whatever condition and of whatever op, under its name", async () => {
  await using the = await world();
  const key = await the.key();
  await the.sql("UPDATE store.project SET currency = 'BRL'");
  await addLeads(the, [
    { source: "ads", status: "won", value: 10 },
    { source: "ads", status: "won", value: 30, currency: "USD" },
    { source: "ads", status: "new", value: 5, tags: ["vip"] },
    { source: "fair", status: "lost", value: 7 },
  ]);
  const won = { field: "status", op: "in", value: ["WON"] };
  const metrics = [
    { op: "count" },
    { op: "count", filter: won, as: "won" },
    { op: "count", filter: { not: won }, as: "others" },
    { op: "sum", field: "value", filter: won, as: "won_value" },
    { op: "avg", field: "value", filter: { field: "tags", op: "has_any", value: ["vip"] }, as: "vip_value" },
    { op: "median", field: "value", filter: won, as: "middle" },
    { op: "count", filter: { event: { type: "call.made", count: { op: "eq", value: 0 } } }, as: "silent" },
  ];
  const body = { metrics, group_by: [{ field: "source" }], sort: [{ field: "won", dir: "desc" }] };
  const filter = { field: "value", op: "gt", value: 6 };
  const { groups } = await aggregate(key, body);
  assert.deepEqual(
    groups.map(
      ({ key: { source }, metrics: { count, won, others, won_value, vip_value, middle, silent } }) => [
        ...[source, count, won, others, won_value, vip_value, middle, silent],
      ],
    ),
    [
      ["ads", 3, 2, 1, null, 5, null, 3],
      ["fair", 1, 0, 1, null, null, null, 1],
    ],
  );
  assert.deepEqual(groups[0]?.by_currency, {
    won_value: { BRL: 10, USD: 30 },
    vip_value: { BRL: 5 },
    middle: { BRL: 10, USD: 30 },
  });
  const some = await aggregate(key, { metrics: metrics.slice(0, 2), filter });
  assert.deepEqual(some.groups, [{ key: {}, metrics: { count: 3, won: 2 } }]);
  const many = (n: number) => ({
    or: Array.from({ length: n }, () => ({ field: "score", op: "eq", value: 1 })),
  });
  const wrong: [object, string][] = [
    [{ metrics: [{ op: "count", filter: won }] }, "$.metrics[0].as"],
    [{ metrics: [{ op: "count", filter: won, as: "count" }, { op: "count" }] }, "$"],
    [
      { metrics: [{ op: "count" }, { op: "count", filter: { field: "no" }, as: "no" }] },
      "$.metrics[1].filter.field",
    ],
    [{ metrics: [{ op: "count", filter: won, as: "won" }], filter: { field: "no" } }, "$.filter.field"],
    [{ metrics: [{ op: "count", filter: many(60), as: "many" }], filter: many(60) }, "$.filter"],
    [{ metrics: [{ op: "count", as: "Not a name" }] }, "$.metrics[0].as"],
  ];
  for (const [input, path] of wrong) {
    const refused = await refusalOf(await key.send("POST", "/api/v1/leads/aggregate", input));
    assert.deepEqual([refused.status, refused.paths[0]], [400, path], JSON.stringify(input).slice(0, 200));
  }
});

test("groups and filters by currency count a lead without one as the project's, is_empty what was written", async () => {
  await using the = await world();
  const key = await the.key();
  await addLeads(the, [
    { name: "none", value: 1, currency: null },
    { name: "real", value: 2, currency: "BRL" },
    { name: "euro", value: 4, currency: "EUR" },
  ]);
  const groups = async () => {
    const body = { group_by: [{ field: "currency" }], metrics: [{ op: "sum", field: "value" }] };
    return (await aggregate(key, body)).groups.map(({ key: { currency }, metrics, by_currency }) => {
      assert.deepEqual(by_currency, { sum_value: { [String(currency ?? "")]: metrics.sum_value } });
      return [currency, metrics.sum_value];
    });
  };
  const found = async (op: string, value?: unknown) => {
    const filter = { field: "currency", op, ...(value !== undefined && { value }) };
    const sort = [{ field: "currency" }, { field: "name" }];
    const { leads } = await bodyOf<{ leads: { name: string; currency: string | null }[] }>(
      await key.send("POST", "/api/v1/leads/search", { filter, sort, fields: ["name", "currency"] }),
    );
    return leads.map(({ name }) => name);
  };
  assert.deepEqual(await groups(), [
    [null, 1],
    ["EUR", 4],
    ["BRL", 2],
  ]);
  assert.deepEqual(await found("eq", "BRL"), ["real"]);
  assert.deepEqual(await found("neq", "BRL"), ["euro", "none"]);
  await the.sql("UPDATE store.project SET currency = 'BRL'");
  assert.deepEqual(await groups(), [
    ["BRL", 3],
    ["EUR", 4],
  ]);
  assert.deepEqual(await found("eq", "brl"), ["none", "real"]);
  assert.deepEqual(await found("in", ["BRL", "USD"]), ["none", "real"]);
  assert.deepEqual(await found("neq", "BRL"), ["euro"]);
  assert.deepEqual(await found("starts_with", "B"), ["none", "real"]);
  assert.deepEqual(await found("is_empty"), ["none"]);
  assert.deepEqual(await found("is_not_empty"), ["real", "euro"]);
  await the.sql("UPDATE store.project SET currency = 'USD'");
  assert.deepEqual(await found("not_in", ["BRL"]), ["euro", "none"]);
});

test("what cannot be computed is reported with its path", async () => {
  await using the = await world();
  const key = await the.key();
  await addLeads(the, [{ value: 1e308 }, { value: 1e308 }]);
  const wrong: [object, string][] = [
    [{ group_by: [{ field: "custom" }] }, "$.group_by[0].field"],
    [{ group_by: [{ field: "status", interval: "day" }] }, "$.group_by[0].interval"],
    [{ group_by: [{ field: "created_at", interval: "hour" }] }, "$.group_by[0].interval"],
    [{ metrics: [{ op: "sum" }] }, "$.metrics[0].field"],
    [{ metrics: [{ op: "sum", field: "name" }] }, "$.metrics[0].field"],
    [{ metrics: [{ op: "count_distinct", field: "tags" }] }, "$.metrics[0].field"],
    [{ metrics: [{ op: "count" }, { op: "count" }] }, "$"],
    [{ sort: [{ field: "score" }] }, "$.sort[0].field"],
    [{ limit: 1_001 }, "$.limit"],
  ];
  for (const [body, path] of wrong) {
    const refused = await refusalOf(await key.send("POST", "/api/v1/leads/aggregate", body));
    assert.deepEqual([refused.status, refused.paths[0]], [400, path], JSON.stringify(body));
  }
  const sum = await key.send("POST", "/api/v1/leads/aggregate", { metrics: [{ op: "sum", field: "value" }] });
  assert.equal(sum.status, 200, "a sum beyond a double is still exact");
});

test("texts that filters hold for equal are one group where that is asked for, and its filter finds exactly it", async () => {
  await using the = await world();
  const key = await the.key();
  const sources = ["Google", "google", "GÖOGLE", "Straße", "strasse", "", "  ", null];
  await addLeads(
    the,
    sources.map((source) => ({ source })),
  );
  const { groups, total_groups } = await aggregate(key, { group_by: [{ field: "source", alike: true }] });
  assert.equal(total_groups, groups.length);
  assert.deepEqual(
    groups.map(({ metrics }) => metrics.count),
    [3, 2, 2, 1],
  );
  for (const { key: group, metrics } of groups) {
    if (group.source === null) continue;
    const filter = { field: "source", op: "eq", value: group.source };
    const found = await bodyOf(await key.send("POST", "/api/v1/leads/count", { filter }));
    assert.deepEqual(found, { count: metrics.count, relation: "eq" }, String(group.source));
  }
  const refused = await refusalOf(
    await key.send("POST", "/api/v1/leads/aggregate", { group_by: [{ field: "value", alike: true }] }),
  );
  assert.deepEqual([refused.status, refused.paths], [400, ["$.group_by[0].alike"]]);
});
