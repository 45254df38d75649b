import assert from "node:assert/strict";
import { test } from "node:test";
import { ENOUGH, USUAL, usualColumns } from "../../../web/src/leads/table/usual-columns.ts";

const FIELDS = ["id", "name", "company", "custom.age", "custom.job", "custom.note", "custom.plan"];
type Leads = Parameters<typeof usualColumns>[0];

/** Leads as a page has them: those fields that are named are filled. */
const leads = (count: number, filled: (n: number) => object): Leads =>
  Array.from({ length: count }, (_, n) => ({ custom: {}, tags: [], ...filled(n) })) as unknown as Leads;

test("columns that no lead of a full page fills make room for the campaign and fields that most leads fill", () => {
  const page = leads(ENOUGH, (n) => ({
    ...{ name: "Ana", status: "new", value: 5, source: "fair", campaign: "spring", company: "" },
    custom: { age: 30, job: n % 2 === 0 ? "clerk" : undefined, note: n === 0 ? "x" : undefined },
  }));
  assert.deepEqual(usualColumns(page, FIELDS), [
    ...[
      "name",
      "status",
      "value",
      "source",
      "owner_id",
      "campaign",
      "custom.age",
      "custom.job",
      "created_at",
    ],
  ]);
});

test("one filled cell keeps a usual column, and few leads leave them all", () => {
  const one = leads(ENOUGH, (n) => ({
    ...{ company: "Lumen", value: 0, email: "a@b.example", phone: "1", source: "x" },
    ...{ tags: n === 7 ? ["vip"] : [], custom: { age: 30 } },
  }));
  assert.deepEqual(usualColumns(one, FIELDS), USUAL);
  assert.deepEqual(
    usualColumns(
      leads(ENOUGH - 1, () => ({})),
      FIELDS,
    ),
    USUAL,
  );
});
