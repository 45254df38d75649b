import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../../browser.ts";
import { world } from "../../world.ts";
import { Application, exchange, REDIRECT } from "../support/application.ts";

test("nobody is redirected without a known application and one of its own redirect URIs", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const astray = [
    { client_id: undefined },
    { client_id: "" },
    { client_id: "app_00000000000000000000000000" },
    { client_id: "nonsense" },
    { redirect_uri: undefined },
    { redirect_uri: "" },
    { redirect_uri: `${REDIRECT}/` },
    { redirect_uri: `${REDIRECT}?x=1` },
    { redirect_uri: "https://APP.example/cb" },
    { redirect_uri: "https://evil.example/cb" },
    { redirect_uri: "https://app.example:443/cb" },
  ];
  const whole = app.address();
  const addresses = [
    ...astray.map((parameters) => app.address(parameters)),
    `${whole}&client_id=${app.clientId}`,
    `${whole}&redirect_uri=${encodeURIComponent(REDIRECT)}`,
    `${whole}&x=%zz`,
    `${whole}&x=%00`,
  ];
  for (const visitor of [browser, the.browser()]) {
    for (const address of addresses) {
      const answer = await visitor.get(address);
      assert.equal(answer.status, 400, address);
      assert.equal(answer.headers.get("location"), null);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
    }
  }
});

test("every other error goes back to an application that the person approved before, but only after they signed in", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  await app.code(browser);
  const whole = app.address();
  const cases: Array<[string, string]> = [
    [app.address({ response_type: undefined }), "invalid_request"],
    [app.address({ response_type: "" }), "invalid_request"],
    [app.address({ response_type: "token" }), "unsupported_response_type"],
    [app.address({ state: undefined }), "invalid_request"],
    [app.address({ state: "" }), "invalid_request"],
    [app.address({ scope: undefined }), "invalid_request"],
    [app.address({ scope: "openid email" }), "invalid_scope"],
    [app.address({ code_challenge: undefined }), "invalid_request"],
    [app.address({ code_challenge: "short" }), "invalid_request"],
    [app.address({ code_challenge: "+".repeat(43) }), "invalid_request"],
    [app.address({ code_challenge_method: undefined }), "invalid_request"],
    [app.address({ code_challenge_method: "plain" }), "invalid_request"],
    [app.address({ resource: "https://elsewhere.example/mcp" }), "invalid_target"],
    [`${whole}&scope=mcp:read`, "invalid_request"],
    [`${whole}&state=other`, "invalid_request"],
  ];
  for (const [address, error] of cases) {
    const stranger = await the.browser().get(address);
    assert.equal(stranger.status, 200);
    assert.match(await stranger.text(), /name="password"/);
    const answer = await browser.get(address);
    assert.equal(answer.status, 303, address);
    const back = new URL(answer.headers.get("location") ?? "");
    assert.equal(back.origin + back.pathname, REDIRECT);
    assert.equal(back.searchParams.get("error"), error, address);
    assert.ok(back.searchParams.get("error_description"));
    assert.equal(back.searchParams.get("iss"), the.authUrl);
    const stateless = /state=(&|$|other)/.test(address) || !address.includes("state=");
    assert.equal(back.searchParams.get("state"), stateless ? null : "st4te");
  }
});

test("our resource is accepted in each of its spellings, and unknown parameters and scopes are ignored", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  for (const end of ["", "/", "/mcp", "/mcp/"]) {
    assert.equal((await browser.get(app.address({ resource: the.authUrl + end }))).status, 200);
  }
  const unknown = `${app.address({ scope: "openid mcp:read offline_access" })}&prompt=none&prompt=login`;
  const { page } = await formOf(await browser.get(unknown));
  assert.match(page, /value="mcp:read"/);
  assert.doesNotMatch(page, /mcp:write|offline_access/);
});

test("the port of a loopback redirect is free at authorization, and bound at the exchange", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
    const app = await Application.register(the, { redirect_uris: [`http://${host}:1/cb`] });
    const granted = await app.code(browser, {}, { redirect_uri: `http://${host}:54321/cb` });
    const other = await exchange(the, granted, { redirect_uri: `http://${host}:1/cb` });
    assert.equal(other.status, 400);
    assert.equal((await exchange(the, granted)).status, 200);
    for (const uri of [
      `http://${host}:1/cb/`,
      `https://${host}:1/cb`,
      "http://evil.example:1/cb",
      `http://${host}:1@evil.example/cb`,
    ]) {
      assert.equal((await browser.get(app.address({ redirect_uri: uri }))).status, 400, uri);
    }
  }
  const app = await Application.register(the, { redirect_uris: ["http://localhost/cb"] });
  assert.equal((await browser.get(app.address({ redirect_uri: "http://localhost:9/cb" }))).status, 200);
  assert.equal((await browser.get(app.address({ redirect_uri: "http://127.0.0.1/cb" }))).status, 400);
});

test("the pages carry the headers that keep them safe and let the browser return", async () => {
  await using the = await world();
  const app = await Application.register(the);
  for (const visitor of [the.browser(), await the.signedIn()]) {
    const { headers } = await visitor.get(app.address());
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.match(policy, /img-src [^;]*https:/);
    assert.doesNotMatch(policy, /form-action|unsafe-inline/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "same-origin");
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.equal(headers.get("access-control-allow-origin"), null);
  }
});

test("state comes back byte for byte, whatever it holds, up to 8 KB", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const states = [
    " ",
    "a b+c%20d",
    "%2B%00%zz",
    `"'<>&\`\\`,
    "ünï-😀-\u202e",
    "\r\nLocation: https://evil.example",
    "x&code=evil&iss=evil",
    "=?#/;,",
    "x".repeat(8_192),
  ];
  for (const state of states) {
    for (const decision of ["approve", "deny"] as const) {
      const answer = await app.decide(browser, { decision }, { state });
      assert.equal(answer.status, 303);
      const back = new URL(answer.headers.get("location") ?? "");
      assert.deepEqual(back.searchParams.getAll("state"), [state]);
      assert.equal(back.searchParams.getAll(decision === "approve" ? "code" : "error").length, 1);
      assert.deepEqual(back.searchParams.getAll("iss"), [the.authUrl]);
      assert.equal(back.origin, "https://app.example");
    }
  }
  const spaces = `${app.address({ state: undefined })}&state=a+b%20c%2Bd`;
  const form = await formOf(await browser.get(spaces));
  const denied = await browser.post(form.action, { ...form.hidden, decision: "deny" });
  assert.match(denied.headers.get("location") ?? "", /&state=a%20b%20c%2Bd&/);
});

/** URLs that other servers have accepted in place of a registered one. */
const TRICKS = [
  "https://app.example/cb/",
  "https://app.example/cb?",
  "https://app.example/cb?a=1",
  "https://app.example/cb#",
  "https://app.example/cb#x",
  "https://app.example/cb%20",
  "https://app.example/cb ",
  " https://app.example/cb",
  "https://app.example/cb\t",
  "https://app.example/c\nb",
  "https://app.example/cb\r\nX: y",
  "https://app.example/CB",
  "https://APP.example/cb",
  "HTTPS://app.example/cb",
  "http://app.example/cb",
  "//app.example/cb",
  "/cb",
  "https:app.example/cb",
  "https:/app.example/cb",
  "https:///app.example/cb",
  "https:\\\\app.example\\cb",
  "https://app.example\\cb",
  "https://app.example:443/cb",
  "https://app.example:8443/cb",
  "https://app.example:/cb",
  "https://app.example./cb",
  "https://app.example//cb",
  "https://app.example/./cb",
  "https://app.example/x/../cb",
  "https://app.example/%2e/cb",
  "https://app.example/%63b",
  "https://app.example/cb;x",
  "https://user@app.example/cb",
  "https://app.example@evil.example/cb",
  "https://evil.example/https://app.example/cb",
  "https://evil.example\\@app.example/cb",
  "https://evil.example#@app.example/cb",
  "https://evil.example?@app.example/cb",
  "https://app.example.evil.example/cb",
  "https://evilapp.example/cb",
  "https://app.exámple/cb",
  "https://аpp.example/cb",
  "https://app%2eexample/cb",
  "https://app.example%00.evil.example/cb",
  "https://app.example/cb\u202e",
  "https://two.example/cb?b=2&a=1",
  "https://two.example/cb?a=1&b=2&",
  "https://two.example/cb?a=1&b=%32",
  "http://127.0.0.1:99999/cb",
  "http://127.0.0.1:/cb",
  "http://127.0.0.1:80:80/cb",
  "http://127.0.0.1:1@evil.example/cb",
  "http://127.0.0.1.evil.example/cb",
  "http://127.1/cb",
  "http://127.0.0.2/cb",
  "http://0177.0.0.1/cb",
  "http://2130706433/cb",
  "http://[::1]/cb",
  "http://[::ffff:127.0.0.1]/cb",
  "http://localhost/cb",
  "https://127.0.0.1/cb",
  "HTTP://127.0.0.1/cb",
  "javascript:alert(1)",
  "data:text/html,x",
  "null",
];

test("no spelling of a redirect URI but the registered one leads anywhere", async () => {
  await using the = await world();
  const app = await Application.register(the, {
    redirect_uris: ["https://app.example/cb", "https://two.example/cb?a=1&b=2", "http://127.0.0.1/cb"],
  });
  assert.ok(new Set(TRICKS).size >= 60);
  for (const visitor of [await the.signedIn(), the.browser()]) {
    for (const uri of TRICKS) {
      const answer = await visitor.get(app.address({ redirect_uri: uri }));
      assert.equal(answer.status, 400, uri);
      assert.equal(answer.headers.get("location"), null, uri);
    }
    for (const uri of ["https://two.example/cb?a=1&b=2", "http://127.0.0.1:65535/cb"]) {
      assert.equal((await visitor.get(app.address({ redirect_uri: uri }))).status, 200, uri);
    }
  }
});

test("a redirect URI's own query is kept to the letter, before what we add", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  for (const [uri, start] of [
    ["https://app.example/cb?a=%20+1&b", "https://app.example/cb?a=%20+1&b&code="],
    ["https://app.example/cb?", "https://app.example/cb?code="],
    ["https://app.example/cb?a&", "https://app.example/cb?a&code="],
    ["cursor://some.host/cb", "cursor://some.host/cb?code="],
    ["com.example.app:/cb", "com.example.app:/cb?code="],
  ] as const) {
    const app = await Application.register(the, { redirect_uris: [uri] });
    const { headers } = await app.decide(browser);
    assert.ok(headers.get("location")?.startsWith(start), headers.get("location") ?? "");
  }
});

test("a long request leads over the sign-in page as well as a short one", async () => {
  await using the = await world();
  const redirectUri = `https://app.example/${"x".repeat(2_000)}`;
  const app = await Application.register(the, { redirect_uris: [redirectUri] });
  const browser = the.browser();
  const state = "s".repeat(4_000);
  const address = app.address({ redirect_uri: redirectUri, state });
  const { action, hidden } = await formOf(await browser.get(address));
  const signedIn = await browser.post(action, {
    ...hidden,
    email: the.person.email,
    password: the.person.password,
  });
  const consent = await formOf(await browser.get(signedIn.headers.get("location") ?? ""));
  const back = await browser.post(consent.action, {
    ...consent.hidden,
    project_id: the.project.id,
    scope: "mcp:read",
    decision: "approve",
  });
  const to = new URL(back.headers.get("location") ?? "");
  assert.equal(to.href.startsWith(redirectUri), true);
  assert.equal(to.searchParams.get("state"), state);
});
