/** A typical query of leads, as a path and a body. */
export interface UsualQuery {
  name: string;
  body: object;
  /** Why it may cost more in a larger project; absent if it must not. */
  mayGrow?: string;
}

const is = (field: string, op: string, value: unknown) => ({ field, op, value });
const both = (status: string, source: string) => ({
  and: [is("status", "eq", status), is("source", "eq", source)],
});

/** The twelve usual queries except the last, which needs a cursor; then the same search words where they are rare. */
export const USUAL: readonly UsualQuery[] = [
  { name: "newest 50", body: {} },
  { name: "status + source", body: { filter: both("contacted", "referral") } },
  { name: "status + source, rare", body: { filter: both("won", "fair") } },
  { name: "OR of two groups", body: { filter: { or: [both("won", "ads"), both("qualified", "partner")] } } },
  { name: "e-mail contains", body: { filter: is("email", "contains", "McCullough9321") } },
  { name: "custom value equals", body: { filter: is("custom.plan", "eq", "pro") } },
  { name: "custom number range", body: { filter: is("custom.seats", "between", [10, 12]) } },
  { name: "any of two tags", body: { filter: is("tags", "has_any", ["tag5", "tag37"]) } },
  {
    name: "score range by score",
    body: { filter: is("score", "between", [90, 95]), sort: [{ field: "score", dir: "desc" }] },
  },
  {
    name: "a week of created_at",
    body: { filter: is("created_at", "between", ["2025-12-26T00:00:00+00:00", "2026-01-02T00:00:00+00:00"]) },
  },
  { name: "words", body: { search: "linda smith" }, mayGrow: "words in text" },
  { name: "custom value, rare", body: { filter: is("custom.plan", "eq", "Enterprise") } },
  { name: "custom range, rare", body: { filter: is("custom.seats", "between", [5_000, 5_199]) } },
  { name: "tags, rare", body: { filter: is("tags", "has_any", ["speaker", "nobody"]) } },
];
