import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Type } from "typebox";
import { builtPanel as entryOf } from "../../src/surfaces/panel/built.ts";
import { world } from "../world.ts";
import { builtPanel } from "./support/built.ts";

const MOST = 300 * 1_024;

test("the first load is at most 300 KB of script, compressed", async () => {
  const panelDir = builtPanel();
  const { script, ahead } = await entryOf({ config: { panelDir } } as Parameters<typeof entryOf>[0]);
  const sizes = [script, ...ahead].map((file) => statSync(join(panelDir, `${file}.gz`)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= MOST, `it is ${total} bytes`);
});

test("nothing of TypeBox is in the panel", () => {
  // every schema has it, and minifying keeps it
  const mark = "~kind";
  assert.ok(mark in Type.String());
  const files = globSync(join(builtPanel(), "assets/*.js"));
  assert.notEqual(files.length, 0);
  assert.deepEqual(
    files.filter((file) => readFileSync(file, "utf8").includes(mark)),
    [],
  );
});

test("files are sent in an encoding that the browser accepts, may be cached for ever, and no other file is reachable", async () => {
  const panelDir = builtPanel();
  await using the = await world({ config: { panelDir } });
  const { script } = await entryOf(the.service);
  const address = `${the.authUrl}/panel/${script}`;
  const plain = readFileSync(join(panelDir, script));
  for (const [accepted, sent, open] of [
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip", "gzip", gunzipSync],
    ["identity", null, (bytes: Buffer) => bytes],
  ] as const) {
    // fetch would decompress it.
    const { request } = await import("node:http");
    const [headers, bytes] = await new Promise<[Record<string, unknown>, Buffer]>((resolve, reject) => {
      request(address, { headers: { "Accept-Encoding": accepted } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => resolve([answer.headers, Buffer.concat(parts)]));
      })
        .on("error", reject)
        .end();
    });
    assert.equal(headers["content-encoding"] ?? null, sent, accepted);
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
    assert.ok(open(bytes).equals(plain), accepted);
  }
  for (const path of [
    "..%2F.vite%2Fmanifest.json",
    "..%2f..%2f..%2fpackage.json",
    "none.js",
    "main.js.map",
    ".js",
  ]) {
    assert.equal((await fetch(`${the.authUrl}/panel/assets/${path}`)).status, 404, path);
  }
});
