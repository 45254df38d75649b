import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { collector, everyTrace } from "../observe/support/collector.ts";
import { skip } from "../observe/support/decode-traces.ts";
import { world } from "../world.ts";
import { blocksOf } from "./support/blocks.ts";

test("the settings of the page about traces are accepted without a warning", () => {
  const examples = blocksOf("traces.md").filter(({ language }) => language === "ini");
  assert.equal(examples.length, 2);
  for (const { text } of examples) {
    const env = Object.fromEntries(
      text
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    const { traces } = readConfig(env);
    assert.deepEqual(traces?.warnings, []);
    assert.match(traces?.url ?? "", /\/v1\/traces$/);
  }
});

test("the page about traces shows the spans and attributes that there are", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: everyTrace(to) });
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = (await (await key.send("POST", "/api/v1/leads", { name: "Ana" })).json()) as { id: string };
  await (await key.send("PATCH", `/api/v1/leads/${id}`, { name: "Bia" })).text();
  await (await key.send("POST", "/api/v1/exports", {})).text();
  const shown = blocksOf("traces.md").filter(({ language }) => language === "text");
  const found = [
    await to.traceWith(({ name }) => name === "PATCH /api/v1/leads/:id"),
    await to.traceWith(({ name }) => name === "job export"),
  ];
  for (const [i, { text }] of shown.entries())
    for (const line of text.trim().split("\n")) {
      const [, name] = /^[\s├└]*(.+?)(?: …)? {2,}[A-Z]+ /.exec(line) ?? [];
      assert.ok(
        found[i]?.some((span) => span.name === name),
        line,
      );
    }
  const page = readFileSync("docs/operate/traces.md", "utf8");
  for (const name of found.flat().flatMap(({ attributes }) => Object.keys(attributes)))
    if (name.startsWith("leadgate.")) assert.ok(page.includes(`\`${name}\``), name);
});
