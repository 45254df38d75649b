import assert from "node:assert/strict";
import { test } from "node:test";
import { isDocumentAddress } from "../../src/domain/clients/document-address.ts";
import { freshFor } from "../../src/domain/clients/document-freshness.ts";
import { isPublicAddress } from "../../src/domain/clients/public-address.ts";

test("an address is public only if the entire internet can reach it", () => {
  const inside =
    `0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 192.0.0.1 192.0.2.1
    192.168.1.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1
    ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 fc00::1
    fd00::1 fe80::1 fe80::1%lo fec0::1 ff02::1 5f00::1 4000::1 010.0.0.1 0x7f.0.0.1 2130706433 127.1 localhost 8.8.8.8.
    `.split(/\s+/);
  for (const address of inside) assert.equal(isPublicAddress(address), false, address);
  for (const address of ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450::1"]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test("a client_id is the address of a document only in its one spelling", () => {
  const not =
    `http://a.example/x https://a.example https://a.example/ https://a.example/x#f https://a.example/x#
    https://u@a.example/x https://u:p@a.example/x https://@a.example/x https://A.example/x HTTPS://a.example/x
    https://a.example:443/x https://a.example/x/../y https://a.example/./x https://a.example/%2e%2e/x https://a.example/%2E/x
    https://a.example\\x https://a.example/x\\y https:/a.example/x https:a.example/x https:///x https://2130706433/x
    https://127.1/x https://0x7f.1/x https://[::0001]/x https://bücher.example/x https://a.example/ü javascript:alert(1)
    https://a.example/${"x".repeat(1_024)} https://a.example:99999/x https://a%00.example/x`.split(/\s+/);
  for (const address of [...not, "https://a.example/x\ty", " https://a.example/x", "https://a.example/x\0"]) {
    assert.equal(isDocumentAddress(address), false, address);
  }
  const are =
    "https://a.example/x https://a.example/x/ https://a.example:8443/x?v=1 https://xn--bcher-kva.example/x";
  for (const address of are.split(" ")) assert.equal(isDocumentAddress(address), true, address);
});

test("a document is fresh for as long as its headers allow, at most a day, an hour without such headers", () => {
  const date = new Date().toUTCString();
  const later = (seconds: number) => new Date(Date.parse(date) + seconds * 1_000).toUTCString();
  const cases: [Record<string, string>, number][] = [
    [{ "cache-control": "max-age=600" }, 600],
    [{ "cache-control": "public, max-age=600", age: "500" }, 100],
    [{ "cache-control": "max-age=99999999" }, 86_400],
    [{ "cache-control": "max-age=600, s-maxage=60" }, 60],
    [{ date, expires: later(1_000) }, 1_000],
    [{ date, expires: later(1_000), "cache-control": "no-cache" }, 0],
    [{ expires: "0" }, 0],
    [{ "cache-control": "no-store" }, 0],
    [{ "cache-control": "max-age=-5" }, 0],
    [{}, 3_600],
  ];
  for (const [headers, seconds] of cases) assert.equal(freshFor(headers), seconds, JSON.stringify(headers));
});
