import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { raw } from "../oauth/support/raw.ts";
import { freePort, world } from "../world.ts";

const DAY = 86_400_000;

test("security.txt names the operator's contacts for at most a year, as RFC 9116 has it", async () => {
  const [AUTH_PORT, contacts] = [
    await freePort(),
    ["mailto:security@leads.example", "https://leads.example/report"],
  ];
  await using the = await world({
    env: {
      AUTH_URL: "https://leads.example",
      AUTH_PORT: String(AUTH_PORT),
      SECURITY_CONTACT: contacts.join(", "),
    },
  });
  const host = `http://127.0.0.1:${AUTH_PORT}`;
  const answer = await fetch(`${host}/.well-known/security.txt`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  const lines = (await answer.text()).trimEnd().split("\n");
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
  assert.deepEqual(valuesOf("Contact"), contacts);
  assert.deepEqual(valuesOf("Canonical"), ["https://leads.example/.well-known/security.txt"]);
  assert.deepEqual(valuesOf("Preferred-Languages"), ["en, pt-BR"]);
  const [expires = "", ...more] = valuesOf("Expires");
  assert.deepEqual(more, []);
  assert.match(expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const left = Date.parse(expires) - Date.now();
  assert.ok(left > 30 * DAY && left < 365 * DAY, expires);
  assert.equal(lines.length, 5);
  assert.equal((await fetch(`${the.baseUrl}/.well-known/security.txt`)).status, 404, "the web host has it");
});

test("without a contact there is no security.txt, and over http it has no Canonical", async () => {
  await using bare = await world();
  assert.equal((await fetch(`${bare.authUrl}/.well-known/security.txt`)).status, 404);
  await using the = await world({ env: { SECURITY_CONTACT: "tel:+55-11-5555-0100" } });
  const text = await (await fetch(`${the.authUrl}/.well-known/security.txt`)).text();
  assert.match(text, /^Contact: tel:\+55-11-5555-0100\n/);
  assert.doesNotMatch(text, /Canonical/);
});

test("a contact that is not a mailto:, https: or tel: URI stops the start with an example", () => {
  for (const contact of ["mailto:a@b.example", "https://b.example/x", "tel:+551155550100"]) {
    assert.deepEqual(readConfig({ SECURITY_CONTACT: contact }).securityContacts, [contact]);
  }
  assert.deepEqual(readConfig({ SECURITY_CONTACT: "" }).securityContacts, []);
  const wrong = [
    "security@b.example",
    "http://b.example",
    "javascript:alert(1)",
    "mailto:",
    "https://",
    "mailto:a@b.example\nContact: mailto:c@d.example",
    "tel:+55 11",
  ];
  for (const SECURITY_CONTACT of wrong) {
    assert.throws(
      () => readConfig({ SECURITY_CONTACT }),
      /SECURITY_CONTACT .* mailto:security@example\.com/s,
    );
  }
});

test("a password manager finds the form that changes the password", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const answer = await browser.get("/.well-known/change-password");
  assert.equal(answer.status, 303);
  const target = answer.headers.get("location") ?? "";
  const page = await (await browser.get(target)).text();
  assert.match(page, new RegExp(`<h2 id="${new URL(target, the.authUrl).hash.slice(1)}">`));
  assert.match(page, /action="\/account\/password"/);
  const stranger = await the.browser().get(target);
  assert.equal(stranger.headers.get("location"), "/sign-in?to=%2Faccount");
  // password managers ask for this one to see that the host does not answer every address with 200
  const none = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
  assert.equal((await browser.get(none)).status, 404);
});

describe("Strict-Transport-Security", () => {
  const HSTS = "max-age=31536000";
  const WEB = ["/", "/sign-in", "/mcp", "/.well-known/oauth-authorization-server", "/assets/leadgate.css"];
  const API = ["/api/v1/members", "/api/leads/query/"];
  const BOTH = ["/livez", "/readyz", "/metrics", "/openapi.json", "/reference/", "/nothing", "/%zz"];

  /** Returns the values that a host sends, for every path and for what is not a request. */
  async function sent(host: string, paths: readonly string[]): Promise<Map<unknown, string[]>> {
    const found: Array<[string, unknown]> = [];
    for (const path of [...paths, ...BOTH]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const { headers } = await raw(host + path, method);
        found.push([`${method} ${path}`, headers["strict-transport-security"]]);
      }
    }
    const { headers } = await raw(`${host}/`, "GET", [["X-Much", "x".repeat(20_000)]]);
    found.push(["headers that are too large", headers["strict-transport-security"]]);
    const byValue = Map.groupBy(found, ([, value]) => value);
    return new Map([...byValue].map(([value, all]) => [value, all.map(([what]) => what)]));
  }

  for (const [name, env, web, api] of [
    [
      "both URLs are https",
      { AUTH_URL: "https://leads.example", BASE_URL: "https://api.leads.example" },
      HSTS,
      HSTS,
    ],
    ["only the web host is https", { AUTH_URL: "https://leads.example" }, HSTS, undefined],
    ["only the API host is https", { BASE_URL: "https://api.leads.example" }, undefined, HSTS],
    ["both URLs are http", {}, undefined, undefined],
  ] as const) {
    test(`is sent with every answer of a host whose URL is https: ${name}`, async () => {
      const [auth, base] = [await freePort(), await freePort()];
      const ports = { AUTH_PORT: String(auth), API_PORT: String(base) };
      await using the = await world({ env: { ...env, ...ports } });
      assert.deepEqual([the.config.authPort, the.config.apiPort], [auth, base]);
      assert.deepEqual([...(await sent(`http://127.0.0.1:${auth}`, WEB)).keys()], [web]);
      assert.deepEqual([...(await sent(`http://127.0.0.1:${base}`, API)).keys()], [api]);
    });
  }
});
