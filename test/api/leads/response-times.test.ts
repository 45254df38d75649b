import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../../src/core/id.ts";
import { type World, world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Responses {
  groups: Record<string, unknown>[];
  total_groups: number;
}

const CREATED = "2026-05-04T12:00:00+00:00";

/** Adds events to a lead's timeline, the given number of seconds after its creation. */
async function addEvents(the: World, leadId: string, events: readonly (readonly [string, number])[]) {
  for (const [type, seconds] of events) {
    await the.sql(
      `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, recorded_at, source, actor, title, data)
       VALUES ($1, $2, $3, $4, $5::timestamptz + make_interval(secs => $6), now(), 'test', '{}', $4, '{}')`,
      [the.project.id, newId("evt"), leadId, type, CREATED, seconds],
    );
  }
}

const asked = async (the: World) => {
  const [early, late, never, before] = await addLeads(
    the,
    [
      { source: "ads", tags: ["a", "b"] },
      { source: "ads", tags: ["a"] },
      { source: "fair" },
      { source: "fair" },
    ].map((lead) => ({ ...lead, created_at: CREATED })),
  );
  const add = (id: string | undefined, ...events: (readonly [string, number])[]) =>
    addEvents(the, String(id), events);
  await add(early, ["email.opened", 5], ["email.sent", 60], ["call.made", 90]);
  await add(late, ["call.made", -30], ["call.made", 7_200.5]);
  await add(never, ["email.opened", 10]);
  await add(before, ["email.sent", -1], ["meeting.held", 100]);
};

test("response times run from a lead's creation to the first outgoing event at or after it, group by group", async () => {
  await using the = await world();
  const key = await the.key();
  const times = async (body: object) =>
    await bodyOf<Responses>(await key.send("POST", "/api/v1/leads/response-times", body));
  const nothing = { leads: 0, answered: 0, median_seconds: null, p90_seconds: null, within: [] };
  assert.deepEqual(await times({}), { groups: [{ key: {}, ...nothing }], total_groups: 1 });
  await asked(the);
  assert.deepEqual(await times({ within: [60, 7_200, 86_400] }), {
    groups: [
      {
        ...{ key: {}, leads: 4, answered: 2, median_seconds: 3_630.25, p90_seconds: 6_486.45 },
        within: [
          { seconds: 60, leads: 1 },
          { seconds: 7_200, leads: 1 },
          { seconds: 86_400, leads: 2 },
        ],
      },
    ],
    total_groups: 1,
  });
  const bySource = await times({ group_by: [{ field: "source", alike: true }], types: ["email.*"] });
  assert.deepEqual(
    bySource.groups.map(({ key, leads, answered, median_seconds }) => [key, leads, answered, median_seconds]),
    [
      [{ source: "ads" }, 2, 1, 5],
      [{ source: "fair" }, 2, 1, 10],
    ],
  );
  const byTag = await times({ group_by: [{ field: "tags" }, { field: "id" }], limit: 1 });
  assert.deepEqual([byTag.groups.length, byTag.total_groups], [1, 5]);
  const byWeek = await times({ group_by: [{ field: "created_at", interval: "week" }] });
  assert.deepEqual(byWeek.groups[0]?.key, { created_at: "2026-05-04" });
});

test("leads are found by how soon after their creation something happened", async () => {
  await using the = await world();
  const key = await the.key();
  await asked(the);
  const filter = (event: object) => ({ filter: { event } });
  const types = ["call.made", "email.sent"];
  const within = (value: [number, number]) => ({ field: "seconds_after_created", op: "between", value });
  for (const [event, count] of [
    [{ type: types, where: within([0, 60]) }, 1],
    [{ type: types, where: within([0, 7_201]) }, 2],
    [{ type: types, where: within([0, 7_201]), count: { op: "eq", value: 0 } }, 2],
    [{ type: types, where: within([0, 7_201]), count: { op: "eq", value: 2 } }, 1],
    [{ type: types, where: within([0, 90]), pick: "last" }, 1],
    [{ where: { field: "seconds_after_created", op: "lt", value: 0 }, count: { op: "lte", value: 1 } }, 4],
  ] as const) {
    const found = await bodyOf(await key.send("POST", "/api/v1/leads/count", filter(event)));
    assert.deepEqual(found, { count, relation: "eq" }, JSON.stringify(event));
  }
});

test("an invalid query of response times is refused with its path", async () => {
  await using the = await world();
  const key = await the.key();
  for (const [body, path] of [
    [{ types: ["no spaces"] }, "$.types[0]"],
    [{ types: [] }, "$.types"],
    [{ within: [-1] }, "$.within[0]"],
    [{ group_by: [{ field: "nothing" }] }, "$.group_by[0].field"],
    [{ group_by: [{ field: "source" }, { field: "source" }] }, "$.group_by"],
    [{ timezone: "Mars/Olympus" }, "$.timezone"],
  ] as const) {
    const refused = await refusalOf(await key.send("POST", "/api/v1/leads/response-times", body));
    assert.deepEqual([refused.status, refused.paths], [400, [path]], JSON.stringify(body));
  }
});
