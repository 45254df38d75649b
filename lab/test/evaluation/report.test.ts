import assert from "node:assert/strict";
import { test } from "node:test";
import { type Scored, withRow } from "../../eval/mcp/report.ts";

const budget = { calls: 2, tokens: 100 };
const scored = (verdict: Scored["verdict"], calls: number): Scored => ({
  ...{ run: 1, name: "job-01", jobId: "won-total", language: "en", verdict, faults: [], calls },
  ...{ tokens: calls * 10, budget },
});

test("a recorded row replaces the row of no run, and later rows stand above earlier ones", () => {
  const page = "| date | agents |\n| ---- | ------ |\n| no run yet | |\n\nEnd.\n";
  const list = { hash: "abc", tools: 15, bytes: 13_000, tokens: 3_000 };
  const scores = [scored("right", 1), scored("right", 3), scored("wrong_write", 9), scored("partly", 2)];
  const once = withRow(page, { date: "2026-11-27", agents: "one", scores, list });
  assert.equal(
    once,
    "| date | agents |\n| ---- | ------ |\n" +
      "| 2026-11-27 | `abc` (15, 13000 bytes, 3000 tokens) | one | 4 | 2 | 1 | 0 | 0 | 1 | 50.0 % | 3 | 30 |\n\nEnd.\n",
  );
  const twice = withRow(once, { date: "2026-11-28", agents: "two", scores, list });
  assert.ok(twice.indexOf("two") < twice.indexOf("one") && twice.indexOf("| ----") < twice.indexOf("two"));
  assert.throws(() => withRow("nothing", { date: "", agents: "", scores, list }), /no table/);
});
