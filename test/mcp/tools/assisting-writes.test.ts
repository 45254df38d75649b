import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../../browser.ts";
import { world } from "../../world.ts";
import { addLead } from "../support/assistant.ts";
import { type Answer, Caller, recordsOf, when } from "../support/using.ts";

const SURE = { action: "accept", content: { confirm: true } };

test("without a client that can ask, a deletion answers a link where its person approves it", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Test 1" });
  const proposed = await caller.call("bulk_update_leads", { action: "delete", leads: [id] });
  const { approval, would_change: count } = proposed as {
    approval: { id: string; url: string };
    would_change: number;
  };
  assert.deepEqual([proposed.done, count, proposed.change_id], [false, 1, undefined]);
  assert.equal((await caller.call("find_leads")).total, 1);
  const state = async () => (await caller.call("list_changes", { id: approval.id })).approval as Answer;
  assert.equal((await state()).state, "waiting");
  const browser = await the.signedIn();
  const path = approval.url.replace(the.authUrl, "");
  const { action, hidden } = await formOf(await browser.get(path), "/approvals/");
  await browser.post(action, { ...hidden, decision: "approve" });
  const done = await state();
  assert.equal(done.state, "done");
  assert.equal((await caller.call("find_leads")).total, 0);
  await caller.call("undo", { change_id: done.change_id });
  assert.equal((await caller.call("find_leads")).total, 1);
});

test("a saved view is named by its name, and an unknown name is answered with the nearest", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addLead(the, { name: "Rosa", status: "won" });
  await addLead(the, { name: "Tom", status: "new" });
  const saved = await caller.call("save_view", {
    name: "Won deals",
    filter: when("status", "eq", "won"),
    fields: ["owner"],
  });
  assert.match(String(saved.change_id), /^chg_/);
  assert.equal((await caller.call("find_leads", { view: "won DEALS" })).total, 1);
  const { why } = await caller.failure("find_leads", { view: "Won deal" });
  assert.match(why, /^\$\.view is not a saved view of this project; the nearest are "Won deals"$/);
});

test("a pasted list is taken in: each lead has its outcome, and one undo takes all back", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Rosa", email: "rosa@example.org" });
  const leads = [
    { name: "Caio", email: "caio@example.org" },
    { name: "Nameless" },
    { name: "Rosa again", email: "ROSA@example.org" },
    { name: "Bad", email: "bad@" },
  ];
  const answer = await caller.call("write_leads", { action: "create", leads });
  assert.deepEqual([answer.created, answer.failed], [2, 2]);
  const failures = answer.failures as { index: number; why: string; candidates?: string[] }[];
  assert.deepEqual(
    failures.map(({ index, candidates }) => [index, candidates]),
    [
      [2, [id]],
      [3, undefined],
    ],
  );
  assert.match(failures[1]?.why ?? "", /^email is not an e-mail address/);
  const { counts } = await caller.call("undo", { change_id: answer.change_id });
  assert.deepEqual(counts, { deleted: 2 });
  assert.equal((await caller.call("find_leads")).total, 1);
});

test("before a deletion the person is asked with what it deletes; deleted leads are restored", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const ids = [await addLead(the, { name: "Test 1" }), await addLead(the, { name: "Test 2" })];
  const args = { action: "delete", leads: ids };
  const declined = await caller.asked("bulk_update_leads", args, { action: "decline" });
  assert.match(declined.message, /^Delete 2 leads: Test 1, Test 2\?$/);
  assert.deepEqual(declined.answer, { done: false, reason: "declined" });
  const { answer } = await caller.asked("bulk_update_leads", args, SURE);
  assert.equal(answer.deleted, 2);
  assert.equal((await caller.call("find_leads")).total, 0);
  const { lead } = await caller.call("get_lead", { id: ids[0] });
  assert.ok((lead as Answer).deleted_at !== undefined && (lead as Answer).name === "Test 1");
  const restored = await caller.call("bulk_update_leads", { action: "restore", leads: [ids[0]] });
  assert.equal(restored.restored, 1);
  assert.equal((await caller.call("find_leads")).total, 1);
  const { why } = await caller.failure("bulk_update_leads", {
    action: "restore",
    filter: when("name", "eq", "x"),
  });
  assert.match(why, /\$\.leads is required for restore/);
});

test("two leads are merged after the person agreed, and undo separates them", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const keep = await addLead(the, { name: "Rosa Lund", email: "rosa@example.org" });
  const merge = await addLead(the, { name: "R. Lund", city: "Natal" });
  const { message, answer } = await caller.asked(
    "merge_leads",
    { keep: "Rosa Lund", merge: "R. Lund" },
    SURE,
  );
  assert.match(message, /Merge "R\. Lund".*into "Rosa Lund"/);
  assert.deepEqual([answer.merged, (answer.lead as Answer).city], [merge, "Natal"]);
  await caller.call("undo", { change_id: answer.change_id });
  assert.equal(((await caller.call("get_lead", { id: keep })).lead as Answer).city, undefined);
});

test("a consent covers the leads that were asked about: if a name means another one by then, the person is asked again", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const first = await addLead(the, { name: "Rosa Lund" });
  const meanwhile = async () => {
    await the.sql("UPDATE store.lead SET name = 'Somebody else' WHERE id = $1", [first]);
    await addLead(the, { name: "Rosa Lund" });
  };
  const again = caller.asked(
    "bulk_update_leads",
    { action: "delete", leads: ["Rosa Lund"] },
    SURE,
    meanwhile,
  );
  await assert.rejects(again);
  assert.equal((await caller.call("find_leads")).total, 2);
});

test("a dataset is created with its rows in one call, and rows belong to the leads that they name", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Rosa", email: "rosa@example.org" });
  const answer = await caller.call("write_dataset", {
    dataset: "visits",
    create: {
      columns: [
        { key: "email", type: "email" },
        { key: "day", type: "date" },
      ],
      lead_link: { column: "email", match: "email" },
    },
    rows: [{ email: "rosa@example.org", day: "2026-11-01" }, { email: "nobody@example.org" }],
  });
  assert.equal(answer.created, 2);
  const { rows } = await caller.call("read_dataset", {
    dataset: "visits",
    filter: when("_lead_id", "eq", id),
  });
  assert.deepEqual(
    recordsOf(rows).map(({ day }) => day),
    ["2026-11-01"],
  );
  const { datasets } = await caller.call("read_dataset");
  assert.deepEqual((datasets as Answer[])[0]?.columns, ["email: email", "day: date"]);
  const wrong = { dataset: "calls", create: { columns: [{ key: "Bad key", type: "text" }] } };
  assert.match((await caller.failure("write_dataset", wrong)).why, /\$\.create\.columns\[0\]\.key/);
});

test("the file of an export opens for the signed-in person, and its beginning is in the answer", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addLead(the, { name: "Rosa", city: "São Paulo" });
  const { url, content } = await caller.call("export_leads", { columns: ["name", "city"] });
  assert.equal(content, "name,city\nRosa,São Paulo\n");
  const browser = await the.signedIn();
  const file = await browser.get(String(url).replace(the.authUrl, ""));
  assert.deepEqual([file.status, await file.text()], [200, "name,city\nRosa,São Paulo\n"]);
  assert.equal((await fetch(String(url))).status, 401);
});
