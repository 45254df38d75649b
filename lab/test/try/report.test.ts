import assert from "node:assert/strict";
import { test } from "node:test";
import { newestResult } from "../../try/models/tool-result.ts";
import { report } from "../../try/report.ts";

const row = (name: string, note: string) => ({ cells: [name, "1.0.0"], notes: [note] });
const ORDER = ["One", "Two", "Three"];

test("a host's row and note replace those of an earlier run, and the rows of other hosts stay", () => {
  const first = report(row("Three", "Three was here."), "", ORDER);
  const second = report(row("One", "One | <b>\n was here."), first, ORDER);
  const third = report(row("Three", "Three came back."), second, ORDER);
  assert.deepEqual(third.split("\n").slice(2), [
    "| One | 1.0.0 |",
    "| Three | 1.0.0 |",
    "",
    "- **One**: One \\| &lt;b> was here.",
    "- **Three**: Three came back.",
  ]);
});

test("what a model was told is found in the conversations of each API", () => {
  const conversations = {
    anthropic: [
      { role: "user", content: [{ type: "tool_result", content: [{ type: "text", text: "no" }] }] },
    ],
    responses: [{ type: "function_call_output", output: "no" }],
    chat: [
      { role: "tool", content: "no" },
      { role: "user", content: "and then" },
    ],
    gemini: [{ role: "user", parts: [{ functionResponse: { response: "no" } }] }],
    nothing: [{ role: "user", content: "Call a tool." }],
  };
  const told = Object.entries(conversations).map(([api, messages]) => [api, newestResult(messages)]);
  assert.deepEqual(told, [
    ["anthropic", "no"],
    ["responses", "no"],
    ["chat", "no"],
    ["gemini", '"no"'],
    ["nothing", ""],
  ]);
});
