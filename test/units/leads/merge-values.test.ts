import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkPrefer,
  type LeadRow,
  mergeChanges,
  type Prefer,
} from "../../../src/domain/leads/merge/merge-values.ts";
import { statusOf } from "../../../src/http/response/status.ts";
import { refused } from "../support/refused.ts";

const BLANK: LeadRow = {
  ...{ id: "lead_0", name: null, email: null, phone: null, phone_e164: null, company: null, city: null },
  ...{ emails: [], phones: [], tags: [], value: null, currency: null, do_not_contact: false, custom: {} },
};

const lead = (fields: object): LeadRow => ({ ...BLANK, ...fields });

/** Returns the first lead's fields after the second one was merged into it. */
function merged(winner: object, loser: object, prefer?: Prefer): Record<string, unknown> {
  const changes = mergeChanges(lead(winner), lead(loser), prefer);
  return { ...lead(winner), ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) };
}

const ONE = {
  name: "One",
  company: "A",
  city: "Porto",
  phone: "+5511912345678",
  phone_e164: "+5511912345678",
};
const TWO = { name: "Two", company: "B", phone: "+5511912340000", phone_e164: "+5511912340000" };

/** Two leads, whose values are preferred, and the resulting values of the first one. */
const MERGES: [object, object, Prefer, object][] = [
  [ONE, TWO, { company: "other", city: "other" }, { name: "One", company: "B", city: "Porto" }],
  [{ do_not_contact: true }, {}, "other", { do_not_contact: true }],
  [{}, { do_not_contact: true }, "this", { do_not_contact: true }],
  [{ phone: "11 91234-5678", phone_e164: "+5511912345678" }, ONE, undefined, { phones: [] }],
];

test("a merged lead has the values that are preferred, and no number twice in two spellings", () => {
  for (const [winner, loser, prefer, expected] of MERGES) {
    const after = merged(winner, loser, prefer);
    for (const [field, value] of Object.entries(expected)) assert.deepEqual(after[field], value, field);
  }
});

test("a preference for a field that cannot be chosen is refused with its path", () => {
  const wrong: [Prefer, string][] = [
    [{ nome: "other" }, "$.prefer.nome"],
    [{ tags: "other" }, "$.prefer.tags"],
    [{ do_not_contact: "other" }, "$.prefer.do_not_contact"],
    [{ phone_e164: "other" }, "$.prefer.phone_e164"],
    [{ "custom.nope": "other" }, "$.prefer.custom.nope"],
  ];
  for (const [prefer, path] of wrong) {
    const refusal = refused(() => checkPrefer(prefer, new Set(["plan"])));
    assert.deepEqual([statusOf(refusal), refusal.faults[0]?.path], [400, path]);
  }
  checkPrefer({ company: "other", "custom.plan": "this" }, new Set(["plan"]));
});

test("lists that would hold more than a hundred entries together are refused", () => {
  const tags = (from: number) => Array.from({ length: 60 }, (_, i) => `t${from + i}`);
  const refusal = refused(() => merged({ tags: tags(0) }, { tags: tags(60) }));
  assert.deepEqual([statusOf(refusal), refusal.code, refusal.faults[0]?.path], [422, "too_many", "$.tags"]);
});
