import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { API, WEB } from "../../src/contract/all.ts";
import type { Deprecated } from "../../src/contract/basics/endpoint.ts";
import { deprecationOf } from "../../src/http/response/deprecation-headers.ts";
import { large } from "../large.ts";
import { blocksOf } from "./support/blocks.ts";

large(
  "versions.md: an endpoint that is declared as deprecated as on the page sends the headers of the page",
  () => {
    const [headers, declared, ...more] = blocksOf("versions.md");
    assert.deepEqual([headers?.language, declared?.language, more], ["http", "ts", []]);
    const { deprecated } = runInNewContext(`({${declared?.text}})`) as { deprecated: Deprecated };
    const sent = Object.entries(deprecationOf(deprecated)).map(([name, value]) => `${name}: ${value}\n`);
    assert.equal(sent.join(""), headers?.text);
  },
);

test("versions.md: no endpoint is deprecated, as the page says", () => {
  assert.deepEqual(
    [...API, ...WEB].filter(({ deprecated }) => deprecated !== undefined),
    [],
  );
});
