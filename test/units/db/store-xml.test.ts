import assert from "node:assert/strict";
import { test } from "node:test";
import { partBytesOf } from "../../../src/db/backup/store/upload.ts";
import { elementsIn, escaped, textIn } from "../../../src/db/backup/store/xml.ts";

test("texts in the answers of a store are read with their entities, and written with them", () => {
  const xml = `<?xml version="1.0"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Contents>
    <Key>a&amp;b &lt;c&gt; &quot;&#34;&#x22;&apos;&other;</Key><ETag x="1">&amp;lt;</ETag></Contents><Contents><Key></Key></Contents></ListBucketResult>`;
  const [first = "", second = "", third] = elementsIn(xml, "Contents");
  assert.equal(textIn(first, "Key"), `a&b <c> """'&other;`);
  assert.equal(textIn(first, "ETag"), "&lt;");
  assert.equal(textIn(second, "Key"), "");
  assert.equal(textIn(second, "Size"), undefined);
  assert.equal(third, undefined);
  assert.equal(escaped("a&b <c>"), "a&amp;b &lt;c&gt;");
});

test("a file has at most 10,000 parts, however large it is", () => {
  const [mib, gib] = [1_048_576, 1_073_741_824];
  for (const [bytes, part] of [
    [65 * mib, 16 * mib],
    [156 * gib, 16 * mib],
    [157 * gib, 17 * mib],
    [5_120 * gib, 525 * mib],
  ] as const) {
    assert.equal(partBytesOf(bytes), part);
    assert.ok(Math.ceil(bytes / part) <= 10_000);
  }
});
