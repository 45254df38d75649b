import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelLead } from "../changes/support/history-model.ts";
import { authors, IDENTITIES, playHistory } from "../changes/support/play-histories.ts";
import { played } from "../changes/support/played.ts";
import { EMPTY } from "../changes/support/random-records.ts";
import { large } from "../large.ts";
import { caseOf } from "./support/cases.ts";
import { IdentityModel } from "./support/model.ts";
import { ROWS } from "./support/rows.ts";

const histories = (seeds: number) =>
  played(seeds, authors, (the, keys, seed) => playHistory(the, keys, seed, IDENTITIES));

test("random histories of few addresses end as in a plain model of the rule", () => histories(12));
large("200 random histories of few addresses end as in a plain model of the rule", () => histories(200));

test("the plain model answers each row of the table, and the same record again changes nothing", () => {
  for (const row of ROWS) {
    const { given: record, leads } = caseOf(row);
    const given = { ...record };
    const model = new IdentityModel();
    const change = model.begin(0);
    const byName = new Map<string, ModelLead>();
    for (const { name, ...lead } of leads)
      byName.set(name, model.create(change, name, { ...EMPTY, ...lead }));
    const lead = (name: string): ModelLead => {
      const known = byName.get(name);
      assert.ok(known !== undefined, row.says);
      return known;
    };
    for (const [loser, winner] of Object.entries(row.merged ?? {}))
      model.merge(change, lead(winner), lead(loser));
    for (const name of row.deleted ?? []) model.delete(change, lead(name), true);
    const { answer } = row;
    const contents = () => JSON.stringify(model.leads.map(({ fields }) => fields));
    const first = model.upsert(change, given, EMPTY);
    const after = contents();
    const again = model.upsert(change, given, EMPTY);
    assert.equal(contents(), after, row.says);
    if ("leads" in first) {
      assert.ok("code" in answer, row.says);
      const named = first.leads.map(({ id }) => id).sort();
      assert.deepEqual([first.outcome, named], [answer.code, Object.keys(answer.leads).sort()], row.says);
      assert.deepEqual(again, first, row.says);
      continue;
    }
    assert.deepEqual("lead" in again && [again.outcome, again.lead], ["unchanged", first.lead], row.says);
    if ("made" in answer) {
      const held = [...new Set(first.held.flatMap(({ leads }) => leads.map(({ id }) => id)))].sort();
      assert.deepEqual([first.outcome, held], ["created", answer.held.map(([, name]) => name)], row.says);
    } else assert.deepEqual("is" in answer && lead(answer.is), first.lead, row.says);
  }
});
