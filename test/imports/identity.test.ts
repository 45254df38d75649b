import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { countsOf, eventsOf, importText, leadsOf } from "./support/importing.ts";
import { acted, sums, uploaded } from "./support/uploading.ts";

test("a blank cell keeps a value, and a change records field, from and to", async () => {
  await using the = await world();
  await importText(the, "email,name,company\na@x.org,Ana,Acme\n");
  const again = await importText(the, "email,name,company\nA@X.org,,Globex\n");
  assert.deepEqual(countsOf(again), [1, 0, 1, 0, 0, 0]);
  const [lead] = await leadsOf(the);
  assert.deepEqual([lead?.name, lead?.company, lead?.email, lead?.version], ["Ana", "Globex", "a@x.org", 2]);
  const events = await eventsOf(the, "lead.updated");
  assert.deepEqual(
    events.map(({ data }) => data),
    [{ field: "company", from: "Acme", to: "Globex" }],
  );
});

test("a later row of a file updates what an earlier one created", async () => {
  await using the = await world();
  const file = "external_id,email,name\n7,a@x.org,Ana\n,A@x.org,Ana Maria\n7,b@x.org,\n,b@x.org,Ana Maria\n";
  assert.deepEqual(countsOf(await importText(the, file)), [4, 1, 2, 1, 0, 0]);
  const leads = await leadsOf(the);
  assert.deepEqual(
    leads.map(({ email, name }) => [email, name]),
    [["b@x.org", "Ana Maria"]],
  );
});

test("a dry run counts rows about leads of much earlier rows as the commit does", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const rows = Array.from({ length: 1_100 }, (_, i) => `e${i},Person ${i}`);
  const again = ["e0,Person 0", "e1,Renamed", "e1,Renamed"];
  const made = await uploaded(the, key, `external_id,name\n${[...rows, ...again].join("\n")}\n`);
  const counts = [1_103, 1_100, 1, 2, 0, 0];
  const { dry_run } = await acted(key, made.id, "dry-run");
  assert.deepEqual(sums(dry_run ?? {}), counts);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), counts);
});
