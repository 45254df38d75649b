import assert from "node:assert/strict";
import { test } from "node:test";
import { plainAddresses } from "../../src/http/request/forwarded-for.ts";

const READ: ReadonlyArray<readonly [sent: string, read: string]> = [
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.1:1001", "192.0.2.1"],
  ["  192.0.2.1:1001\t", "192.0.2.1"],
  ['"192.0.2.1:1001"', "192.0.2.1"],
  ['" 192.0.2.1 "', "192.0.2.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:0DB8:0:0:0::0001", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ['"[2001:db8::1]:443"', "2001:db8::1"],
  ["2001:db8::1:443", "2001:db8::1:443"],
  ["2001:db8:0:0:0:0:0:1:443", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%25eth0]:80", "fe80::1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["[::ffff:192.0.2.1]:80", "192.0.2.1"],
  ["::ffff:192.0.2.1:80", "192.0.2.1"],
  ["192.0.2.1:1, [2001:db8::2]:2,192.0.2.3", "192.0.2.1, 2001:db8::2, 192.0.2.3"],
  [" , 192.0.2.1:1,, ,192.0.2.2,", "192.0.2.1, 192.0.2.2"],
  ["", ""],
  [" , ,", ""],
  // what is not an address stays in its place, so that nothing left of it is taken for the proxy's entry
  ["unknown, 192.0.2.1:1", "unknown, 192.0.2.1"],
  ["192.0.2.1, unknown", "192.0.2.1, unknown"],
  ["192.0.2.1, _hidden", "192.0.2.1, unknown"],
  ['", 192.0.2.1', "unknown, 192.0.2.1"],
  ['"192.0.2.1, 192.0.2.2"', "unknown, unknown"],
  ["010.0.0.1", "unknown"],
  ["10.1", "unknown"],
  ["192.0.2.1:", "unknown"],
  ["192.0.2.1:123456", "unknown"],
  ["192.0.2.1:80:80", "unknown"],
  ["[192.0.2.1]:80", "unknown"],
  ["[2001:db8::1", "unknown"],
  ["2001:db8::1]:443", "unknown"],
  ["[2001:db8::1]443", "unknown"],
  ["[[2001:db8::1]]", "unknown"],
  ["localhost", "unknown"],
  ["192.0.2.1 192.0.2.2", "unknown"],
  ["for=192.0.2.1", "unknown"],
  ["<script>", "unknown"],
];

test("every spelling of a forwarded address is read as the plain address, and anything else as unknown", () => {
  for (const [sent, read] of READ) assert.equal(plainAddresses(sent), read, JSON.stringify(sent));
});

test("a list as long as a request can send keeps every entry", () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}:80`);
  assert.equal(plainAddresses(many.join()).split(", ").length, 5_000);
  assert.equal(plainAddresses("[".repeat(16_000)), "unknown");
});
