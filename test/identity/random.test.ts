import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { caseOf } from "./support/cases.ts";
import { contents, IdentityModel, type ModelLead } from "./support/model.ts";
import { playIdentities } from "./support/play.ts";
import { ROWS } from "./support/rows.ts";

/** Plays the histories of so many seeds; all that differ are shown. */
async function histories(seeds: number): Promise<void> {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const failures: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1)
    await playIdentities(key, seed).catch((error: Error) => failures.push(error.message));
  assert.equal(failures.length, 0, `${failures.length} of ${seeds}\n${failures.slice(0, 5).join("\n\n")}`);
}

test("random histories of few addresses end as in a plain model of the rule", () => histories(12));
large("200 random histories of few addresses end as in a plain model of the rule", () => histories(200));

test("the plain model answers each row of the table, and the same record again changes nothing", () => {
  for (const row of ROWS) {
    const { given, leads } = caseOf(row);
    const model = new IdentityModel();
    const byName = new Map<string, ModelLead>();
    for (const { name, ...lead } of leads) {
      const made = model.create(lead);
      assert.ok(made !== undefined, row.says);
      byName.set(name, Object.assign(made, { id: name }));
    }
    const lead = (name: string): ModelLead => {
      const known = byName.get(name);
      assert.ok(known !== undefined, row.says);
      return known;
    };
    for (const [loser, winner] of Object.entries(row.merged ?? {})) model.merge(lead(winner), lead(loser));
    for (const name of row.deleted ?? []) model.delete(lead(name));
    const { answer } = row;
    const first = model.upsert(given);
    const after = JSON.stringify(model.leads.map(contents));
    const again = model.upsert(given);
    assert.equal(JSON.stringify(model.leads.map(contents)), after, row.says);
    if ("leads" in first) {
      assert.ok("code" in answer, row.says);
      const named = first.leads.map(({ id }) => id).sort();
      assert.deepEqual([first.outcome, named], [answer.code, Object.keys(answer.leads).sort()], row.says);
      assert.deepEqual(again, first, row.says);
      continue;
    }
    assert.deepEqual("lead" in again && [again.outcome, again.lead], ["unchanged", first.lead], row.says);
    if ("made" in answer) {
      const held = [...new Set(first.held.map(({ id }) => id))].sort();
      assert.deepEqual([first.outcome, held], ["created", answer.held.map(([, name]) => name)], row.says);
    } else assert.deepEqual("is" in answer && lead(answer.is), first.lead, row.says);
  }
});
