import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../src/core/id.ts";
import { type World, world } from "../world.ts";
import { addLeads, problemOf } from "./support/leads.ts";
import { bodyOf } from "./support/v1.ts";
import { refusalOf, writer } from "./support/writing.ts";

interface Timeline {
  events: Record<string, unknown>[];
  page_info: Record<string, unknown>;
}

interface Listed {
  events: { id: string }[];
  next_cursor: string | null;
}

async function addEvents(
  the: World,
  leadId: string,
  events: readonly [type: string, at: string][],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [type, at] of events) {
    const id = newId("evt");
    await the.sql(
      `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, actor)
       VALUES ($1, $2, $3, $4, $5, $4, '{"type": "cli", "id": null, "label": "test"}')`,
      [the.project.id, id, leadId, type, at],
    );
    ids.push(id);
  }
  return ids;
}

test("the timeline shows every field of an event, newest first, with and without the slash", async () => {
  await using the = await world();
  const key = await writer(the);
  const [id = ""] = await addLeads(the, [{}]);
  await key.send("POST", `/api/v1/leads/${id}/events`, { type: "call.made", occurred_at: "2026-01-01" });
  await key.send("PATCH", `/api/v1/leads/${id}`, { name: "Ana" });
  for (const path of [`/api/leads/${id}/timeline/`, `/api/leads/${id}/timeline`]) {
    const { events, page_info } = await bodyOf<Timeline>(await key.send("GET", path));
    assert.deepEqual(Object.keys(events[0] ?? {}), [
      "id",
      "type",
      "occurred_at",
      "recorded_at",
      "source",
      "actor",
      "title",
      "data",
      "external_id",
      "merged_from",
    ]);
    assert.deepEqual(
      events.map(({ type, data }) => [type, data]),
      [
        ["lead.updated", { field: "name", from: null, to: "Ana" }],
        ["call.made", {}],
      ],
    );
    assert.match(String(events[0]?.occurred_at), /\+00:00$/);
    assert.deepEqual(page_info, {
      limit: 50,
      offset: 0,
      count: 2,
      has_more: false,
      next_offset: null,
      total: 2,
      total_relation: "eq",
    });
  }
});

test("a timeline is limited by types, by groups of types, and by time ranges without overlaps or gaps", async () => {
  await using the = await world({ alone: true });
  const key = await the.key();
  await the.sql("UPDATE store.project SET timezone = 'America/Sao_Paulo'");
  const [id = ""] = await addLeads(the, [{}]);
  await addEvents(the, id, [
    ["email.opened", "2026-01-01T00:00:00Z"],
    ["email.clicked", "2026-01-02T00:00:00Z"],
    ["emails.sent", "2026-01-03T00:00:00Z"],
    ["call.made", "2026-01-04T00:00:00Z"],
    ["call.made", "2026-01-05T00:00:00Z"],
  ]);
  const ask = async (query: string) => {
    const { events } = await bodyOf<Timeline>(await key.send("GET", `/api/leads/${id}/timeline/?${query}`));
    return events.map(({ type, occurred_at }) => `${type} ${String(occurred_at).slice(8, 10)}`);
  };
  assert.deepEqual(await ask("types=email.*"), ["email.clicked 02", "email.opened 01"]);
  assert.deepEqual(await ask("types=email.opened,call.made&order=asc"), [
    "email.opened 01",
    "call.made 04",
    "call.made 05",
  ]);
  const middle = "2026-01-03T00:00:00+00:00";
  assert.deepEqual(await ask(`to=${encodeURIComponent(middle)}`), ["email.clicked 02", "email.opened 01"]);
  assert.deepEqual(await ask(`from=${middle}&order=asc`), ["emails.sent 03", "call.made 04", "call.made 05"]);
  assert.deepEqual(await ask("from=2026-01-03&to=2026-01-04"), ["call.made 04"], "days are the project's");
  assert.deepEqual(await ask("from=2026-02-01&to=2026-01-01"), []);
});

test("pages of a timeline follow each other, by offset and by cursor, also where all happened at once", async () => {
  await using the = await world();
  const key = await the.key();
  const [id = ""] = await addLeads(the, [{}]);
  const added = await addEvents(
    the,
    id,
    Array.from({ length: 23 }, (_, i): [string, string] => [
      "call.made",
      i < 15 ? "2026-01-01" : "2026-01-02",
    ]),
  );
  // Events of one timestamp are ordered by id, and ids of one millisecond are not in the order of creation.
  const moments = [added.slice(0, 15).sort(), added.slice(15).sort()];
  const newest = moments.flat().reverse();
  for (const order of ["desc", "asc"]) {
    const expected = order === "desc" ? newest : newest.toReversed();
    const seen: unknown[] = [];
    for (let offset: unknown = 0; offset !== null; ) {
      const page: Timeline = await bodyOf<Timeline>(
        await key.send("GET", `/api/leads/${id}/timeline/?limit=5&offset=${offset}&order=${order}`),
      );
      assert.equal(page.page_info.total, 23);
      seen.push(...page.events.map((event) => event.id));
      offset = page.page_info.next_offset;
    }
    assert.deepEqual(seen, expected);
    const walked: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page: Listed = await bodyOf<Listed>(
        await key.send("GET", `/api/v1/leads/${id}/events?limit=5&order=${order}${more}`),
      );
      walked.push(...page.events.map((event) => event.id));
      cursor = page.next_cursor;
    }
    assert.deepEqual(walked, expected);
  }
  const beyond = await bodyOf<Timeline>(await key.send("GET", `/api/leads/${id}/timeline/?offset=100`));
  assert.deepEqual([beyond.events, beyond.page_info.total], [[], 23]);
});

test("a cursor of another lead, type or order, or a changed one, is refused", async () => {
  await using the = await world();
  const key = await the.key();
  const [id = "", other = ""] = await addLeads(the, [{}, {}]);
  await addEvents(the, id, [
    ["call.made", "2026-01-01"],
    ["call.made", "2026-01-02"],
  ]);
  const path = `/api/v1/leads/${id}/events?limit=1`;
  const { next_cursor: cursor } = await bodyOf<Listed>(await key.send("GET", path));
  for (const wrong of [
    `/api/v1/leads/${other}/events?limit=1&cursor=${cursor}`,
    `${path}&types=call.made&cursor=${cursor}`,
    `${path}&order=asc&cursor=${cursor}`,
    `${path}&from=2020-01-01&cursor=${cursor}`,
    `${path}&cursor=x${cursor}`,
    `/api/v1/events?cursor=${cursor}`,
  ]) {
    const { status, code } = await refusalOf(await key.send("GET", wrong));
    assert.deepEqual([status, code], [400, "bad_cursor"], wrong);
  }
});

test("an invalid timeline query is refused in the shape of its endpoint", async () => {
  await using the = await world();
  const key = await the.key();
  const [id = ""] = await addLeads(the, [{}]);
  const wrong = [
    "limit=501",
    "limit=0",
    "limit=x",
    "offset=-1",
    "from=yesterday",
    "to=infinity",
    "order=up",
    "types=",
    "types=a%20b",
    "type=a.b",
    "from=a&from=b",
    "types=%00",
  ];
  for (const query of wrong) {
    const current = await key.send("GET", `/api/leads/${id}/timeline/?${query}`);
    assert.equal(current.status, 400, query);
    await problemOf(current);
  }
  assert.equal((await refusalOf(await key.send("GET", `/api/v1/leads/${id}/events?limit=501`))).status, 400);
  const other = await the.newProject(the.person, "Other");
  const [foreign] = await addLeads(the, [{}], other.id);
  for (const missing of [foreign, "nonsense", `lead_${"0".repeat(26)}`]) {
    const answer = await key.send("GET", `/api/leads/${missing}/timeline/`);
    assert.equal(answer.status, 404);
    assert.equal((await problemOf(answer)).code, "not_found");
  }
  const writing = await the.key(["leads:write"]);
  assert.equal((await writing.send("GET", `/api/leads/${id}/timeline/?limit=x`)).status, 403);
  assert.equal((await fetch(`${the.baseUrl}/api/leads/${id}/timeline/`)).status, 401);
});
