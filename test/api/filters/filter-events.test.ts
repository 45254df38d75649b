import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../../src/core/id.ts";
import { serviceDoor } from "../../../src/db/pool/project-door.ts";
import { NO_PROJECT_SCHEMA } from "../../../src/domain/fields/project-schema.ts";
import { readFilter } from "../../../src/domain/filter/read/read-filter.ts";
import { estimateEvents } from "../../../src/domain/filter/sql/estimate-events.ts";
import { planLeads } from "../../../src/domain/leads/read/plan-leads.ts";
import { large } from "../../large.ts";
import { type World, world } from "../../world.ts";
import { addLeads, idsOf, pageOf, problemOf } from "../support/leads.ts";

const DAY = 86_400_000;

async function happened(the: World, leadId: string, type: string, daysAgo: number): Promise<void> {
  await the.sql(
    "INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title) VALUES ($1, $2, $3, $4, $5, 't')",
    [the.project.id, newId("evt"), leadId, type, new Date(Date.now() - daysAgo * DAY)],
  );
}

async function view(the: World, query: object, id: string = newId("view")): Promise<string> {
  await the.sql("INSERT INTO store.saved_view (project_id, id, name, query) VALUES ($1, $2, $2, $3)", [
    the.project.id,
    id,
    JSON.stringify(query),
  ]);
  return id;
}

test('"not read in 180 days" is not met by an old reading beside a new one, and is met by none at all', async () => {
  await using the = await world();
  const [both = "", old = "", none = ""] = await addLeads(the, [{ name: "a" }, { name: "b" }, { name: "c" }]);
  await happened(the, both, "email.opened", 200);
  await happened(the, both, "email.opened", 1);
  await happened(the, old, "email.opened", 200);
  const key = await the.key();
  const found = async (event: object) =>
    idsOf(
      await pageOf(
        await key.query({ filter: { event: { type: "email.*", ...event } }, sort: [{ field: "name" }] }),
      ),
    );
  const recent = { op: "in_last", value: { n: 180, unit: "day" } };
  assert.deepEqual(await found({ occurred: recent, count: { op: "eq", value: 0 } }), [old, none]);
  assert.deepEqual(await found({ occurred: { ...recent, op: "older_than" }, pick: "last" }), [old]);
  const never = { ...recent, op: "not_in_last" };
  assert.deepEqual(await found({ occurred: never }), [old, none]);
  assert.deepEqual(await found({ occurred: never, pick: "last" }), [old, none]);
  assert.deepEqual(await found({ occurred: never, pick: "first" }), [both, old, none]);
  assert.deepEqual(await found({ occurred: never, count: { op: "gte", value: 2 } }), [both, old, none]);
  assert.deepEqual(await found({ occurred: never, count: { op: "eq", value: 0 } }), [both]);
  assert.deepEqual(await found({ count: { op: "lte", value: 1 } }), [old, none]);
});

test("no event meets a condition that is met by none: leads without such events are found, others are not", async () => {
  await using the = await world();
  const [lead = ""] = await addLeads(the, [{ name: "a" }]);
  await happened(the, lead, "email.opened", 1);
  const key = await the.key();
  const found = async (event: object, where: object) =>
    idsOf(await pageOf(await key.query({ filter: { event: { type: "email.*", where, ...event } } })));
  const never = { or: [] };
  for (const where of [
    never,
    { and: [never, { field: "title", op: "eq", value: "t" }] },
    { not: { and: [] } },
  ])
    for (const pick of ["any", "first", "last"]) {
      assert.deepEqual(await found({ pick, count: { op: "eq", value: 0 } }, where), [lead]);
      assert.deepEqual(await found({ pick }, where), []);
      const ago = { op: "not_in_last", value: { n: 180, unit: "day" } };
      assert.deepEqual(await found({ pick, occurred: ago }, where), [lead]);
      assert.deepEqual(await found({ pick, occurred: ago, count: { op: "eq", value: 0 } }, where), []);
    }
});

test("a view is its filter and search; one that holds itself or does not fit is refused", async () => {
  await using the = await world();
  const [ana] = await addLeads(the, [
    { name: "Ana", status: "won" },
    { name: "Bia", status: "won" },
    { name: "Ana" },
  ]);
  const inner = await view(the, { search: "ana" });
  const outer = await view(the, {
    filter: { and: [{ view: inner }, { field: "status", op: "eq", value: "won" }] },
  });
  const circle = newId("view");
  await view(the, { filter: { or: [{ view: circle }, { view: inner }] } }, circle);
  const broken = await view(the, { filter: { field: "custom.gone", op: "eq", value: 1 } });
  const other = await the.newProject(the.person, "Other");
  const foreign = newId("view");
  await the.sql("INSERT INTO store.saved_view (project_id, id, name, query) VALUES ($1, $2, 'x', '{}')", [
    other.id,
    foreign,
  ]);
  const key = await the.key();
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter: { view: outer } }))), [ana]);
  const refused = async (filter: object) => {
    const response = await key.query({ filter });
    const { code, detail } = await problemOf(response);
    return [response.status, code, detail.split(":")[0]];
  };
  assert.deepEqual(await refused({ not: { view: circle } }), [
    400,
    "view_in_itself",
    "$.filter.not.view.or[0].view",
  ]);
  assert.deepEqual(await refused({ view: broken }), [400, "broken_view", "$.filter.view"]);
  assert.deepEqual(await refused({ view: foreign }), [400, "unknown_view", "$.filter.view"]);
});

test("hostile filters are 400 at once, and others are answered meanwhile", async () => {
  await using the = await world();
  const key = await the.key();
  const nested = (n: number) => `${'{"not":'.repeat(n)}{"and":[]}${"}".repeat(n)}`;
  const bodies: [string, string][] = [
    [nested(10_000), "too_deep"],
    [`{"or":[${Array(30_000).fill("{}").join(",")}]}`, "too_many_conditions"],
    ['{"__proto__":{"field":"name","op":"eq","value":"x"}}', "unknown_form"],
    ['{"field":"score","op":"eq","value":1e999}', "type"],
    ['{"event":{"type":"\\ud800"}}', "lone_surrogate"],
  ];
  const answers = await Promise.all(
    bodies.map(async ([filter, code]) => {
      const body = `{"project_id":"${the.project.id}","filter":${filter}}`;
      const response = await key.send("POST", "/api/leads/query/", body);
      return [response.status, (await problemOf(response)).code, code];
    }),
  );
  for (const [i, [status, code, expected]] of answers.entries()) {
    assert.deepEqual([status, code], [400, expected], bodies[i]?.[0].slice(0, 100));
  }
  assert.equal((await key.query({})).status, 200);
  for (const n of [1.7e308, -1.7e308, 5e-324, -0]) {
    const filter = {
      or: [
        { field: "score", op: "eq", value: n },
        { event: { where: { field: "data.n", op: "lt", value: n } } },
      ],
    };
    assert.equal((await key.query({ filter })).status, 200, String(n));
  }
});

large("rare events are read by their type, common ones by their lead, both from an index", async () => {
  await using the = await world({ alone: true });
  const { id } = the.project;
  await the.sql(
    "INSERT INTO store.lead (project_id, id, name) SELECT $1, 'lead_' || lpad(i::text, 26, '0'), 'N' FROM generate_series(1, 6000) i",
    [id],
  );
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title)
     SELECT $1, 'evt_' || i, 'lead_' || lpad((1 + i % 6000)::text, 26, '0'),
       CASE WHEN i % 3000 = 0 THEN 'contract.signed' ELSE 'email.opened' END, now() - i * interval '1 minute', 't'
     FROM generate_series(1, 30000) i`,
    [id],
  );
  await the.sql("VACUUM ANALYZE store.lead, store.event");
  const db = the.service.db.behind(serviceDoor(id));
  const planOf = async (type: string, more: object) => {
    const filter = { event: { type, ...more } };
    const read = readFilter(filter, NO_PROJECT_SCHEMA);
    const events = await estimateEvents(db, the.service.db, id, undefined, read);
    const { text, values } = planLeads(id, { filter, total: "none" }, { ...NO_PROJECT_SCHEMA, events });
    const lines = await db.query<{ "QUERY PLAN": string }>(`EXPLAIN (COSTS OFF) ${text}`, values);
    const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
    assert.doesNotMatch(plan, /Seq Scan on event/, plan);
    return plan;
  };
  for (const more of [{}, { count: { op: "gte", value: 2 } }, { pick: "last" }]) {
    assert.match(await planOf("contract.signed", more), /event_of_type/);
  }
  assert.match(await planOf("email.opened", { count: { op: "gte", value: 2 } }), /event_of_lead/);
  assert.match(await planOf("email.opened", { pick: "last" }), /event_of_lead/);
});

test("data compared with a day matches as a date or as any time of that day in the zone", async () => {
  await using the = await world();
  const key = await the.key();
  const days = [
    "2026-06-15",
    "2026-06-15T12:00:00+00:00",
    "2026-06-16T02:59:59+00:00",
    "2026-06-16",
    "soon",
    5,
  ];
  const ids = await addLeads(
    the,
    days.map(() => ({ name: "x" })),
  );
  for (const [i, day] of days.entries()) {
    await the.sql(
      `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, data)
       VALUES ($1, 'evt_' || $2, $2, 'x.y', now(), 't', $3)`,
      [the.project.id, ids[i], JSON.stringify({ day })],
    );
  }
  const found = async (op: string, value: string) => {
    const filter = { event: { where: { field: "data.day", op, value } } };
    const sort = [{ field: "id" }];
    return idsOf(await pageOf(await key.query({ filter, sort, timezone: "America/Sao_Paulo" })));
  };
  const sorted = [...ids].sort();
  assert.deepEqual(await found("eq", "2026-06-15"), [...ids.slice(0, 3)].sort());
  assert.deepEqual(
    await found("neq", "2026-06-15"),
    sorted.filter((id) => !ids.slice(0, 3).includes(id)),
  );
  assert.deepEqual(await found("eq", "2026-06-15T09:00:00-03:00"), [ids[1]]);
  assert.deepEqual(await found("eq", "soon"), [ids[4]]);
});
