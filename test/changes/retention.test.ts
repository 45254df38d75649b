import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { addLeads } from "../api/support/leads.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, refusalOf, writer } from "../api/support/writing.ts";
import { type KeyActor, type World, world } from "../world.ts";

interface Usage {
  changes: { kept_days: number; bytes: number; most_bytes: number | null };
}

const usage = async (key: KeyActor) => (await bodyOf<Usage>(await key.send("GET", "/api/v1/usage"))).changes;

/** Writes an untracked field, so that the change keeps its values; returns the change. */
async function untracked(key: KeyActor, id: string, city: string): Promise<string> {
  const answer = await key.send("PATCH", `/api/v1/leads/${id}`, { city });
  await answer.text();
  return answer.headers.get("x-leadgate-change") ?? "";
}

async function prepared(the: World): Promise<{ key: KeyActor; id: string }> {
  const key = await writer(the);
  await bodyOf(await key.send("PUT", "/api/v1/quiet-fields", { fields: ["city"] }));
  return { key, id: (await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201)).id };
}

test("changes are kept for the number of days in CHANGES", async () => {
  await using the = await world({ env: { CHANGES: '{"keptDays":5}' } });
  const { key, id } = await prepared(the);
  const old = await untracked(key, id, "Natal");
  await the.sql("UPDATE store.change SET created_at = moment() - interval '5 days 1 minute'");
  const young = await untracked(key, id, "Recife");
  await sweep(the.service);
  const { changes } = await bodyOf<{ changes: { id: string }[] }>(await key.send("GET", "/api/v1/changes"));
  assert.deepEqual(
    changes.map((change) => change.id),
    [young],
  );
  assert.equal((await key.send("GET", `/api/v1/changes/${old}`)).status, 404);
  assert.equal((await usage(key)).kept_days, 5);
});

test("a project that keeps more values than CHANGES allows loses the oldest, which cannot be undone then", async () => {
  await using the = await world({ env: { CHANGES: '{"keptBytes":600}' } });
  const { key, id } = await prepared(the);
  const first = await untracked(key, id, "a".repeat(200));
  const next = await untracked(key, id, "b".repeat(200));
  assert.ok((await usage(key)).bytes > 600);
  await sweep(the.service);
  const { bytes, most_bytes: most } = await usage(key);
  assert.ok(bytes > 0 && bytes <= 600);
  assert.equal(most, 600);
  const refused = await refusalOf(await key.send("POST", `/api/v1/changes/${first}/undo`, {}));
  assert.deepEqual([refused.status, refused.code], [409, "values_gone"]);
  const { changes } = await bodyOf<{ changes: { id: string; irreversible: string }[] }>(
    await key.send("GET", "/api/v1/changes?reversible=false"),
  );
  assert.deepEqual(
    changes.slice(0, 1).map((change) => [change.id, change.irreversible]),
    [[first, "values_gone"]],
  );
  assert.equal(
    (
      await bodyOf<{ counts: { put_back: number } }>(
        await key.send("POST", `/api/v1/changes/${next}/undo`, {}),
      )
    ).counts.put_back,
    1,
  );
});

test("an old change of thousands of leads is removed in batches, and a reader that has not seen it starts again", async () => {
  await using the = await world({ env: { CHANGES: '{"keptDays":5}' } });
  const { key } = await prepared(the);
  await addLeads(
    the,
    Array.from({ length: 2_300 }, () => ({})),
  );
  const { next_cursor: cursor } = await bodyOf<{ next_cursor: string }>(
    await key.send("GET", "/api/v1/events?since=now"),
  );
  const [lead] = await the.sql<{ id: string }>("SELECT id FROM store.lead LIMIT 1");
  const change = await untracked(key, lead?.id ?? "", "Natal");
  // The other leads too: as many items as a bulk change has.
  const leads = await the.sql<{ id: string }>("SELECT id FROM store.lead");
  await the.sql(
    `INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, before, after, told)
     SELECT $1, $2, 'evt_' || id, 'lead', id, '{"city": null}', '{"city": "Natal"}', true FROM unnest($3::text[]) AS l (id)`,
    [the.project.id, change, leads.map(({ id }) => id)],
  );
  await the.sql(
    "UPDATE store.change SET bytes = 100000, created_at = moment() - interval '6 days' WHERE id = $1",
    [change],
  );
  await sweep(the.service);
  assert.deepEqual(await the.sql("SELECT FROM store.change_item WHERE change_id = $1", [change]), []);
  assert.deepEqual(await the.sql("SELECT FROM store.change WHERE id = $1", [change]), []);
  const { status, code } = await refusalOf(await key.send("GET", `/api/v1/events?cursor=${cursor}`));
  assert.deepEqual([status, code], [410, "cursor_expired"]);
});

test("erasing a person removes their values from changes of their leads, and of leads that once had their address", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write", "leads:erase", "schema:write"]);
  await bodyOf(await key.send("PUT", "/api/v1/quiet-fields", { fields: ["email", "city"] }));
  const own = await leadOf(await key.send("POST", "/api/v1/leads", { email: "ana@example.org" }), 201);
  const other = await leadOf(await key.send("POST", "/api/v1/leads", { email: "ana@example.org" }), 201);
  await untracked(key, own.id, "Natal of Ana");
  await (
    await key.send("PATCH", `/api/v1/leads/${other.id}`, { email: "bia@example.org", city: "Recife" })
  ).text();
  await bodyOf(
    await key.send("POST", "/api/v1/people/erase", { email: "ana@example.org", expected_leads: 1 }),
  );
  const items = await the.sql<{ text: string }>(
    "SELECT concat(before, after) AS text FROM store.change_item",
  );
  assert.ok(items.length > 0);
  for (const { text } of items) assert.ok(!/ana/i.test(text), text);
  const { changes } = await bodyOf<{ changes: { kind: string; counts: object; reversible: boolean }[] }>(
    await key.send("GET", "/api/v1/changes?kind=person.erase"),
  );
  assert.deepEqual(
    changes.map(({ counts, reversible }) => [counts, reversible]),
    [[{ leads_erased: 1 }, false]],
  );
});

test("a change of which every record was erased cannot be undone, and says so; one that has others can", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "leads:erase"]);
  const made = async (name: string) =>
    await leadOf(await key.send("POST", "/api/v1/leads", { name, email: `${name}@example.org` }), 201);
  const [ana, bo, caio] = [await made("ana"), await made("bo"), await made("caio")];
  await bodyOf(await key.send("PATCH", `/api/v1/leads/${ana.id}`, { city: "Natal" }));
  await bodyOf(await key.send("POST", `/api/v1/leads/${bo.id}/merge`, { with: ana.id }));
  for (const [city, ids] of Object.entries({ Recife: [bo.id], Olinda: [bo.id, caio.id] }))
    await bodyOf(
      await key.send("POST", "/api/v1/leads/bulk", { op: "update", items: ids.map((id) => ({ id, city })) }),
    );
  assert.equal((await key.send("DELETE", `/api/v1/leads/${bo.id}?erase=true`)).status, 204);
  const { changes } = await bodyOf<{
    changes: { id: string; kind: string; reversible: boolean; irreversible: string | null }[];
  }>(await key.send("GET", "/api/v1/changes"));
  assert.deepEqual(
    changes.map(({ kind, reversible, irreversible }) => [kind, reversible, irreversible]),
    [
      ["lead.erase", false, "final"],
      ["bulk", true, null],
      ["bulk", false, "values_gone"],
      ["lead.merge", false, "values_gone"],
      ["lead.update", false, "values_gone"],
      ["lead.create", true, null],
      ["lead.create", false, "values_gone"],
      ["lead.create", false, "values_gone"],
    ],
  );
  const { changes: open } = await bodyOf<{ changes: object[] }>(
    await key.send("GET", "/api/v1/changes?reversible=true"),
  );
  assert.equal(open.length, 2);
  for (const { id, reversible } of changes) {
    const { status } = await key.send("POST", `/api/v1/changes/${id}/undo`);
    assert.equal(status, reversible ? 200 : 409, id);
  }
});

test("CHANGES that makes no sense stops the start", () => {
  const read = (CHANGES: string) =>
    readConfig({ AUTH_URL: "http://localhost:1", BASE_URL: "http://localhost:2", CHANGES });
  assert.throws(
    () => read('{"keptDays":0}'),
    /CHANGES: keptDays is 0; it must be an integer from 1 to 3650\./,
  );
  assert.throws(
    () => read('{"days":3}'),
    /CHANGES has the unknown key "days"; the known keys are keptDays, keptBytes\./,
  );
  assert.equal(read('{"keptBytes":null}').changes.keptBytes, null);
});

interface FeedPage {
  events: { type: string; lead_id: string; changes: object[] }[];
  leads: { id: string; city: string }[];
  next_cursor: string;
  has_more: boolean;
}

test("who has not read what is kept no longer is told to begin again, and who begins now reads everything", async () => {
  await using the = await world({ env: { CHANGES: '{"keptDays":5}' } });
  const { key, id } = await prepared(the);
  const other = (await leadOf(await key.send("POST", "/api/v1/leads", { name: "Bia" }), 201)).id;
  const page = async (query: string) =>
    await bodyOf<FeedPage>(await key.send("GET", `/api/v1/events?${query}`));
  const halfway = await page("limit=1");
  const before = (await page("since=now")).next_cursor;
  const calls = (await page("since=now&types=call.made")).next_cursor;
  await untracked(key, id, "Natal");
  const after = (await page("since=now")).next_cursor;
  await untracked(key, other, "Recife");
  await the.sql(
    "UPDATE store.change SET created_at = moment() - interval '6 days' WHERE project_id = $2 AND id IN (SELECT change_id FROM store.change_item WHERE project_id = $2 AND record_id = $1)",
    [id, the.project.id],
  );
  await sweep(the.service);
  for (const cursor of [before, halfway.next_cursor]) {
    const refused = await refusalOf(await key.send("GET", `/api/v1/events?cursor=${cursor}`));
    assert.deepEqual([refused.status, refused.code], [410, "cursor_expired"]);
    const stream = await refusalOf(await key.send("GET", `/api/v1/events/stream?cursor=${cursor}`));
    assert.deepEqual([stream.status, stream.code], [410, "cursor_expired"]);
  }
  assert.deepEqual((await page(`cursor=${calls}&types=call.made`)).events, []);
  const kept = await page(`cursor=${after}&snapshot=true`);
  assert.deepEqual(
    [kept.events.map(({ lead_id }) => lead_id), kept.leads.map(({ city }) => city)],
    [[other], ["Recife"]],
  );
  const read: string[] = [];
  for (let query = "limit=1&snapshot=true", more = true; more; ) {
    const { leads, next_cursor: cursor, has_more } = await page(query);
    read.push(...leads.map(({ city }) => city));
    query = `limit=1&snapshot=true&cursor=${cursor}`;
    more = has_more;
  }
  assert.deepEqual(read, ["Natal", "Recife", "Recife"]);
});
