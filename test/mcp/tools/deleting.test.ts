import assert from "node:assert/strict";
import { test } from "node:test";
import { FULL } from "../../api/support/two-projects.ts";
import { contents } from "../../contents.ts";
import { world } from "../../world.ts";
import { addLead } from "../support/assistant.ts";
import { Caller } from "../support/using.ts";

const SURE = { action: "accept", content: { confirm: true } };

test("if the client can ask, the person is asked about this lead, and only their consent deletes it", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: 'Nadia "N" \u202eBrandt' });
  const before = await contents(the);
  for (const [answer, reason] of [
    [{ action: "decline" }, "declined"],
    [{ action: "cancel" }, "cancelled"],
    [{ action: "accept", content: { confirm: false } }, "declined"],
    [{ action: "accept", content: {} }, "declined"],
  ] as const) {
    const { message, answer: told } = await caller.asked("delete_lead", { id, confirm: true }, answer);
    assert.equal(message, String.raw`Delete this lead? "Nadia \"N\" Brandt"`);
    assert.deepEqual(told, { id, deleted: false, reason });
  }
  assert.deepEqual(await contents(the), before);
  const { answer } = await caller.asked("delete_lead", { id }, SURE);
  assert.equal(answer.deleted, true);
  assert.match(String(answer.restore), new RegExp(`/api/v1/leads/${id}/restore`));
  const { lead } = await caller.call("get_lead", { id });
  assert.ok((lead as { deleted_at?: string }).deleted_at !== undefined);
});

test("if it cannot ask, an explicit confirm is required; a deleted lead is restored as the answer explains", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia" });
  const before = await contents(the);
  for (const args of [{ id }, { id, confirm: false }]) {
    const refused = await caller.failure("delete_lead", args);
    assert.match(refused.why, /nothing was deleted/);
    assert.match(refused.next_step, /confirm: true/);
  }
  assert.match(
    (await caller.failure("delete_lead", { id, confirm: true, expected_version: 2 })).why,
    /now at version 1/,
  );
  assert.deepEqual(await contents(the), before);
  const { deleted, restore } = await caller.call("delete_lead", { id, confirm: true, expected_version: 1 });
  assert.equal(deleted, true);
  assert.match((await caller.failure("delete_lead", { id, confirm: true })).why, /No such lead/);
  const [, address = ""] = /POST (\S+)/.exec(String(restore)) ?? [];
  const key = await the.key(FULL);
  const back = await key.send("POST", address.replace(the.baseUrl, ""));
  assert.equal(back.status, 200);
  assert.equal(((await caller.call("get_lead", { id })).lead as { name: string }).name, "Nadia");
});

test("a lead that was changed while the person decided is not deleted", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia" });
  const { answer } = await caller.asked("delete_lead", { id }, SURE, async () => {
    await caller.call("update_lead", { id, set: { name: "Somebody else" } });
  });
  assert.equal(answer.isError, true);
  assert.match(JSON.stringify(answer), /now at version 2/);
  await caller.call("get_lead", { id });
});
