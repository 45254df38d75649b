import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../../large.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf } from "../support/leads.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Found {
  leads: Record<string, unknown>[];
  next_cursor: string | null;
  total?: number;
  total_relation?: string;
}

const search = async (key: KeyActor, body: object): Promise<Found> =>
  await bodyOf<Found>(await key.send("POST", "/api/v1/leads/search", body));

/** Returns all ids of a search, page by page. */
async function allIds(key: KeyActor, body: object, between = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Found = await search(key, { ...body, ...(cursor === null ? {} : { cursor }) });
    ids.push(...page.leads.map(({ id }) => String(id)));
    cursor = page.next_cursor;
    await between();
  } while (cursor !== null);
  return ids;
}

const many = (the: World, count: number, columns: string, values: string) =>
  the.sql(
    `INSERT INTO store.lead (project_id, id, ${columns})
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), ${values} FROM generate_series(1, $2::integer) i`,
    [the.project.id, count],
  );

large("10,000 leads of one moment are met once each, while others insert and change leads", async () => {
  await using the = await world();
  const key = await the.key();
  await many(the, 10_000, "created_at", "timestamptz '2026-03-01 12:00:00.123456+00'");
  let n = 0;
  const meddle = async () => {
    n += 1;
    await addLeads(the, [{ name: `new ${n}` }]);
    await the.sql("UPDATE store.lead SET name = $1, updated_at = now() WHERE id LIKE '%' || $2", [
      `x${n}`,
      `${n}`,
    ]);
  };
  const ids = await allIds(key, { limit: 500 }, meddle);
  const first = ids.filter((id) => id.startsWith("lead_000000"));
  assert.equal(first.length, 10_000, "none missed");
  assert.equal(new Set(ids).size, ids.length, "none twice");
});

test("numbers that are equal in two fields of an order show each lead once, whatever their digits", async () => {
  await using the = await world();
  const key = await the.key();
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'seats', 'Seats', 'number')",
    [the.project.id],
  );
  for (const number of [0.1 + 0.2, 2 / 3, 2 ** 53 - 1]) {
    await addLeads(
      the,
      [1, 2, 3].map(() => ({ value: number, custom: { seats: number } })),
    );
  }
  for (const dir of ["asc", "desc"]) {
    const sort = ["value", "custom.seats"].map((field) => ({ field, dir }));
    const whole = idsOf(await pageOf(await key.query({ sort })));
    assert.equal(whole.length, 9);
    let pages = 0;
    const counted = async () => assert.ok(++pages <= whole.length, `${dir}: more pages than leads`);
    assert.deepEqual(await allIds(key, { sort, limit: 1 }, counted), whole, dir);
  }
});

test("any order is read to its end, empty values first or last, exactly as pages by offset have it", async () => {
  await using the = await world();
  const key = await the.key();
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type)
     SELECT $1, key, key, type FROM (VALUES ('seats', 'number'), ('plan', 'text'), ('since', 'date')) AS f (key, type)`,
    [the.project.id],
  );
  await many(
    the,
    400,
    "name, score, company, do_not_contact, last_activity_at, custom",
    `CASE WHEN i % 7 > 0 THEN (ARRAY['Ána','ana','Bob','zoë','','%'])[1 + i % 6] END,
     CASE WHEN i % 3 > 0 THEN (ARRAY['NaN', '-0', '1e300', '0.1', '5']::float8[])[1 + i % 5] END,
     CASE WHEN i % 5 > 1 THEN 'C' || i % 4 END, i % 2 = 0,
     CASE WHEN i % 4 > 0 THEN timestamptz '2026-01-01' + i % 9 * interval '1 microsecond' END,
     CASE i % 4 WHEN 0 THEN '{}' WHEN 1 THEN '{"seats": "many", "plan": true}'
       ELSE jsonb_build_object('seats', i % 11, 'plan', 'p' || i % 3, 'since', '2026-03-0' || 1 + i % 5) END`,
  );
  const fields = ["name", "score", "company", "do_not_contact", "last_activity_at", "status"];
  const custom = ["custom.seats", "custom.plan", "custom.since"];
  const orders = [
    ...[...fields, ...custom].flatMap((field) =>
      ["asc", "desc"].flatMap((dir) => ["first", "last"].map((nulls) => [{ field, dir, nulls }])),
    ),
    [
      { field: "score", dir: "desc" },
      { field: "name", nulls: "first" },
    ],
    [
      { field: "company" },
      { field: "custom.seats", dir: "desc", nulls: "first" },
      { field: "do_not_contact", dir: "desc" },
    ],
  ];
  for (const sort of orders) {
    const whole = idsOf(await pageOf(await key.query({ sort, limit: 500, fields: ["id"] })));
    assert.deepEqual(await allIds(key, { sort, limit: 133, fields: ["id"] }), whole, JSON.stringify(sort));
  }
});

test("a page shows what the query shows, and a total only when it is asked for", async () => {
  await using the = await world();
  const key = await the.key();
  await addLeads(the, [{ name: "Ada", status: "won" }, { name: "Bea" }, { name: "Cal", status: "won" }]);
  const won = { filter: { field: "status", op: "eq", value: "won" } };
  const page = await search(key, { ...won, limit: 1, total: "exact" });
  const query = await pageOf(await key.query({ ...won, limit: 1 }));
  assert.deepEqual(page.leads, query.leads);
  assert.deepEqual([page.total, page.total_relation], [2, "eq"]);
  const rest = await search(key, { ...won, limit: 5, fields: ["name"], cursor: page.next_cursor });
  assert.equal(rest.leads.length, 1);
  assert.equal(rest.next_cursor, null);
  assert.ok(!("total" in rest));
  assert.deepEqual(await search(key, { search: "nobody" }), { leads: [], next_cursor: null });
});

test("a cursor opens its own query only: another project, filter, order or a changed letter is 400", async () => {
  await using the = await world();
  const key = await the.key();
  const other = await the.newProject(the.person, "Other");
  const stranger = await the.key(["leads:read"], other.id);
  await many(the, 5, "name", "'Confidential ' || i");
  const body = { limit: 2, sort: [{ field: "name" }], search: "confidential", timezone: "Europe/Berlin" };
  const { next_cursor: cursor } = await search(key, body);
  assert.ok(cursor !== null);
  const inside = Buffer.from(cursor, "base64url").toString("latin1");
  assert.ok(!/confidential/i.test(cursor + inside), "a cursor shows nobody's name");
  await search(key, { ...body, limit: 3, fields: ["id"], cursor });
  const tampered = `${cursor.slice(0, -2)}${cursor.endsWith("A") ? "BB" : "AA"}`;
  const wrong: [KeyActor, object][] = [
    [stranger, { ...body, cursor }],
    [key, { ...body, cursor: tampered }],
    [key, { ...body, cursor: "" }],
    [key, { ...body, cursor, filter: { and: [] } }],
    [key, { ...body, cursor, search: "confidential 1" }],
    [key, { ...body, cursor, sort: [{ field: "name", dir: "desc" }] }],
    [key, { ...body, cursor, timezone: "UTC" }],
  ];
  for (const [who, sent] of wrong) {
    const refused = await refusalOf(await who.send("POST", "/api/v1/leads/search", sent));
    assert.deepEqual([refused.status, refused.code, refused.paths], [400, "bad_cursor", ["$.cursor"]]);
  }
});

test("relative dates keep the moment of the first page", async () => {
  await using the = await world({ alone: true });
  const key = await the.key();
  await many(the, 4, "created_at", "now() - interval '59.5 minutes' - i * interval '1 millisecond'");
  const filter = { field: "created_at", op: "in_last", value: { n: 1, unit: "hour" } };
  const page = await search(key, { filter, limit: 2 });
  // The clock moves on by a minute; the query's time stays that of its first page.
  await the.sql(`CREATE OR REPLACE FUNCTION leadgate.moment() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
    RETURN now() + interval '1 minute'`);
  assert.equal((await search(key, { filter, limit: 2 })).leads.length, 0);
  assert.equal((await search(key, { filter, limit: 2, cursor: page.next_cursor })).leads.length, 2);
});

test("leads are counted exactly up to 10,000, and beyond when it is asked for", async () => {
  await using the = await world();
  const key = await the.key();
  const count = async (body: object) => await bodyOf(await key.send("POST", "/api/v1/leads/count", body));
  await many(the, 10_001, "status", "CASE WHEN i <= 3 THEN 'won' ELSE 'new' END");
  assert.deepEqual(await count({}), { count: 10_000, relation: "gte" });
  assert.deepEqual(await count({ exact: true, project_id: the.project.id }), {
    count: 10_001,
    relation: "eq",
  });
  assert.deepEqual(await count({ filter: { field: "status", op: "eq", value: "won" } }), {
    count: 3,
    relation: "eq",
  });
  assert.deepEqual(await count({ search: "nobody" }), { count: 0, relation: "eq" });
});

test("errors of a search or a count are reported with their path, to callers who may query", async () => {
  await using the = await world();
  const key = await the.key();
  const writer = await the.key(["leads:write"]);
  for (const path of ["/api/v1/leads/search", "/api/v1/leads/count", "/api/v1/leads/aggregate"]) {
    const wrong: [object, string][] = [
      [{ offset: 5 }, "$.offset"],
      [{ filtre: {} }, "$.filtre"],
      [{ filter: { field: "nope", op: "eq", value: 1 } }, "$.filter.field"],
      [{ timezone: "Mars/Base" }, "$.timezone"],
    ];
    for (const [body, where] of wrong) {
      const refused = await refusalOf(await key.send("POST", path, body));
      assert.deepEqual([refused.status, refused.paths[0]], [400, where], path);
    }
    assert.equal((await writer.send("POST", path, { offset: 5 })).status, 403);
    assert.equal((await fetch(`${the.baseUrl}${path}`, { method: "POST", body: "{}" })).status, 401);
    assert.equal((await key.send("POST", path, { project_id: "prj_x" })).status, 403);
  }
  assert.equal((await key.send("POST", "/api/v1/leads/search", { limit: 501 })).status, 400);
});
