import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Groups {
  groups: { key: Record<string, unknown>; metrics: Record<string, number | string | null> }[];
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
      { key: { source: "ads" }, metrics: ads },
      { key: { source: null }, metrics: none },
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
