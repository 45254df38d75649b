import assert from "node:assert/strict";
import dns from "node:dns";
import type { ServerResponse } from "node:http";
import { mock, test } from "node:test";
import { gzipSync } from "node:zlib";
import { sweep } from "../../../src/domain/upkeep/sweep.ts";
import { formOf } from "../../browser.ts";
import { large } from "../../large.ts";
import { type World, world } from "../../world.ts";
import { Application, bodyOf, exchange, post, REDIRECT } from "../support/application.ts";
import { DOCUMENT, type DocumentHost, documentHost, OWN_DOCUMENTS } from "../support/document-host.ts";

const openWorld = (env: Record<string, string> = {}): Promise<World> =>
  world({ env, config: { documents: OWN_DOCUMENTS } });

const appAt = (the: World, address: string): Application => new Application(the, address, REDIRECT);

test("an application known by its document gets tokens, and consent shows the host behind its name", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  const app = appAt(the, host.url());
  const browser = await the.signedIn();
  const { page } = await formOf(await browser.get(app.address()));
  assert.match(page, /Documented application/);
  assert.match(
    page,
    new RegExp(`Identified by its page at</dt>\\s*<dd><strong><bdi>localhost:${host.port}</bdi>`),
  );
  assert.match(page, /<bdi>app\.example<\/bdi>/);
  assert.match(page, /Nobody has verified/);
  const granted = await app.code(browser);
  const tokens = await bodyOf(await exchange(the, granted));
  assert.equal(tokens.scope, "mcp:read mcp:write");
  assert.equal((await bodyOf(await app.refresh(String(tokens.refresh_token)))).token_type, "Bearer");
  const loopback = await app.code(browser, {}, { redirect_uri: "http://127.0.0.1:54321/cb" });
  assert.equal((await exchange(the, loopback)).status, 200);
  const astray = await browser.get(app.address({ redirect_uri: "https://evil.example/cb" }));
  assert.equal(astray.status, 400);
  assert.equal(astray.headers.get("location"), null);
  assert.equal(host.requests.length, 1, "one fetch serves them all");
  const [asked] = host.requests;
  assert.equal(asked?.headers.accept, "application/json");
  assert.equal(asked?.headers["accept-encoding"], "identity");
  assert.equal(asked?.headers.connection, "close");
  assert.equal(asked?.headers.cookie, undefined);
  assert.match(
    await (await browser.get("/connected-apps")).text(),
    /identified by its page at <bdi>localhost:/,
  );
});

test("a redirect URI that an application's document had before its scheme was refused stays when it is fetched again", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  const browser = await the.signedIn();
  await browser.get(appAt(the, host.url()).address());
  const earlier = ["myapp://cb", REDIRECT];
  await the.sql(
    `UPDATE client SET document_until = now() - interval '2 hours',
       metadata = metadata || jsonb_build_object('redirect_uris', $2::jsonb) WHERE id = $1`,
    [host.url(), JSON.stringify(earlier)],
  );
  host.serve({ redirect_uris: earlier }, { "Cache-Control": "no-store" });
  const app = new Application(the, host.url(), "myapp://cb");
  const granted = await app.decide(browser);
  assert.match(granted.headers.get("location") ?? "", /^myapp:\/\/cb\?code=/);
  assert.ok(host.requests.length > 1, "it was fetched again");

  host.serve({ redirect_uris: [...earlier, "another://cb"] }, { "Cache-Control": "no-store" });
  const answer = await browser.get(app.address());
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /redirect_uris\[2\] has an unknown scheme/);
});

test("a long URL of a document does not move out of sight where the application returns to", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  const address = host.url(`/${"p".repeat(980)}.json`);
  const { page } = await formOf(await (await the.signedIn()).get(appAt(the, address).address()));
  assert.ok(page.includes(address));
  assert.ok(page.indexOf("Returns you to") < page.indexOf(address));
});

test("nothing is fetched for anonymous callers, who see only the host", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  const answer = await the.browser().get(appAt(the, host.url()).address());
  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(page, /name="password"/);
  assert.match(page, new RegExp(`<bdi>localhost:${host.port}</bdi>`));
  const token = await post(the, "/api/oauth/token", {
    grant_type: "refresh_token",
    refresh_token: "x",
    client_id: host.url(),
  });
  assert.equal(token.status, 401);
  assert.equal(host.connections, 0);
});

test("a document is cached for as long as its headers allow, at most a day; an uncacheable one is fetched for each request", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  const browser = await the.signedIn();
  const later = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();
  const cases: Array<[Record<string, string>, number, number]> = [
    [{ "Cache-Control": "max-age=600" }, 590, 600],
    [{ "Cache-Control": "public, max-age=600", Age: "500" }, 90, 100],
    [{ "Cache-Control": "max-age=99999999" }, 86_390, 86_400],
    [{ "Cache-Control": "max-age=600, s-maxage=60" }, 50, 60],
    [{ Expires: later(1_000) }, 980, 1_000],
    [{ Expires: later(1_000), "Cache-Control": "no-cache" }, -10, 0],
    [{ Expires: "0" }, -10, 0],
    [{ "Cache-Control": "no-store" }, -10, 0],
    [{ "Cache-Control": "max-age=-5" }, -10, 0],
    [{}, 3_590, 3_600],
  ];
  for (const [index, [headers, least, most]] of cases.entries()) {
    host.serve({}, headers);
    const address = host.url(`/${index}.json`);
    const before = host.requests.length;
    assert.equal((await browser.get(appAt(the, address).address())).status, 200);
    assert.equal((await browser.get(appAt(the, address).address())).status, 200);
    assert.equal(host.requests.length - before, most === 0 ? 2 : 1, JSON.stringify(headers));
    const [row] = await the.sql<{ left: number }>(
      "SELECT extract(epoch FROM document_until - now())::float8 AS left FROM client WHERE id = $1",
      [address],
    );
    assert.ok(row !== undefined && row.left >= least && row.left <= most, `${index}: ${row?.left}`);
  }
  host.serve({}, { "Cache-Control": "no-store" });
  const app = appAt(the, host.url("/unkept.json"));
  assert.equal((await exchange(the, await app.code(browser))).status, 200);
});

test("a document that changed behind an open consent page is shown again before anything is granted", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  host.serve({}, { "Cache-Control": "no-store" });
  const browser = await the.signedIn();
  const app = appAt(the, host.url());
  const form = await formOf(await browser.get(app.address()));
  host.serve({ client_name: "Something else" }, { "Cache-Control": "no-store" });
  await browser.get(app.address());
  const approve = (hidden: Record<string, string>) =>
    browser.post(form.action, {
      ...hidden,
      project_id: the.project.id,
      scope: "mcp:read",
      decision: "approve",
    });
  const again = await formOf(await approve(form.hidden));
  assert.match(again.page, /has changed its description/);
  assert.match(again.page, /Something else/);
  assert.equal((await approve(again.hidden)).status, 303);
});

type Answer = (response: ServerResponse, host: DocumentHost) => void;
const send =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
const stating =
  (document: Record<string, unknown>): Answer =>
  (response, host) =>
    send(JSON.stringify({ client_id: host.url(), ...DOCUMENT, ...document }))(response, host);

large(
  "an invalid document is reported plainly, nobody is redirected, and the failure is not cached",
  async () => {
    await using the = await openWorld();
    await using host = await documentHost();
    const browser = await the.signedIn();
    const app = appAt(the, host.url());
    const own = JSON.stringify({ client_id: host.url(), ...DOCUMENT });
    const cases: Array<[string, Answer, RegExp]> = [
      ["a redirect", send(own, { Location: host.url("/other.json") }, 302), /status 200; redirects/],
      ["a redirect inside", send("", { Location: "https://127.0.0.1:1/x" }, 307), /status 200; redirects/],
      ["not found", send(own, {}, 404), /status 200/],
      ["no content", send("", {}, 204), /status 200/],
      ["HTML", send(own, { "Content-Type": "text/html" }), /application\/json/],
      ["a look-alike type", send(own, { "Content-Type": "application/jsonp" }), /application\/json/],
      ["gzip", send(gzipSync(own), { "Content-Encoding": "gzip" }), /compressed/],
      [
        "a gzip bomb",
        send(gzipSync(Buffer.alloc(50_000_000, " ")), { "Content-Encoding": "gzip" }),
        /compressed/,
      ],
      ["5 KB and one byte", send(own.padEnd(5_121)), /larger than 5 KB/],
      ["endless", (response) => endless(response), /larger than 5 KB/],
      ["huge headers", send(own, { "X-Much": "x".repeat(20_000) }), /could not be fetched/],
      ["cut short", (response) => cut(response), /could not be fetched/],
      ["no JSON", send("{"), /not a JSON object/],
      ["a list", send("[]"), /not a JSON object/],
      ["null", send("null"), /not a JSON object/],
      ["deep", send("[".repeat(2_500) + "]".repeat(2_500)), /not a JSON object/],
      ["bad UTF-8", send(Buffer.from([0x7b, 0xff, 0x7d])), /not a JSON object/],
      ["no client_id", stating({ client_id: undefined }), /has a client_id that differs/],
      ["another client_id", stating({ client_id: host.url("/other.json") }), /has a client_id that differs/],
      [
        "almost its client_id",
        stating({ client_id: host.url().replace("localhost", "LOCALHOST") }),
        /has a client_id that differs/,
      ],
      ["client_id in a list", stating({ client_id: [host.url()] }), /has a client_id that differs/],
      ["a secret", stating({ client_secret: "s" }), /client secret/],
      ["an empty secret", stating({ client_secret: null }), /client secret/],
      ["secret method", stating({ token_endpoint_auth_method: "client_secret_basic" }), /client secret/],
      ["no redirects", stating({ redirect_uris: undefined }), /redirect_uris must be an array/],
      ["javascript", stating({ redirect_uris: ["javascript:alert(1)"] }), /not allowed for redirects/],
      ["http", stating({ redirect_uris: ["http://app.example/"] }), /uses http/],
      ["NUL in its name", stating({ client_name: "a\0b" }), /client_name/],
      ["a lone surrogate", send(own.replace("Documented", "\\ud800")), /client_name/],
      ["a bad logo", stating({ logo_uri: "javascript:alert(1)" }), /logo_uri/],
      ["a number for a name", stating({ client_name: 7 }), /client_name/],
    ];
    for (const [name, answer, told] of cases) {
      host.answer = (_request, response) => answer(response, host);
      const response = await browser.get(app.address());
      assert.equal(response.status, 400, name);
      assert.equal(response.headers.get("location"), null);
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.match(await response.text(), told, name);
    }
    const portuguese = await browser.get(app.address(), { "Accept-Language": "pt-BR" });
    assert.match(await portuguese.text(), /O documento do aplicativo é inválido.[\s\S]*lang="en"/);
    assert.deepEqual(await the.sql("SELECT id FROM client"), []);
    host.answer = (_request, response) => send(own.padEnd(5_120))(response, host);
    assert.equal((await browser.get(app.address())).status, 200, "mended, it counts at once, up to 5 KB");
  },
);

function endless(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  const more = () => {
    while (!response.destroyed && response.write("x".repeat(1_000)));
  };
  response.on("drain", more);
  more();
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "500" });
  response.write("{");
  setTimeout(() => response.destroy(), 20);
}

test("a slow document is given up, whether silent from the start, after the headers or drop by drop, or after a change of protocol", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  const browser = await the.signedIn();
  const slow: Answer[] = [
    () => undefined,
    (response) => response.writeHead(200, { "Content-Type": "application/json" }).write("{"),
    (response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const drop = setInterval(() => response.write(" "), 100);
      response.on("close", () => clearInterval(drop));
    },
    ({ socket }) =>
      socket?.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
  ];
  host.answer = (request, response) => slow[Number(request.url?.slice(1))]?.(response, host);
  const answers = await Promise.all(
    slow.map((_, index) => browser.get(appAt(the, host.url(`/${index}`, "127.0.0.1")).address())),
  );
  for (const answer of answers) {
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /within 5 seconds/);
  }
});

test("only public addresses are connected to, whatever name leads there", async () => {
  const { ownNetworks: _, ...documents } = OWN_DOCUMENTS;
  await using the = await world({ config: { documents } });
  await using host = await documentHost();
  const browser = await the.signedIn();
  const refused = async (address: string, why: string): Promise<void> => {
    const answer = await browser.get(appAt(the, address).address());
    assert.equal(answer.status, 400, why);
    assert.match(await answer.text(), /could not be fetched/, why);
  };
  for (const name of ["localhost", "127.0.0.1", "[::1]", "[::ffff:7f00:1]", "0.0.0.0", "[::]"]) {
    await refused(host.url("/client.json", name), name);
  }
  let lookups = 0;
  const answers = [
    [
      { address: "93.184.216.34", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ],
    [{ address: "127.0.0.1", family: 4 }],
    [{ address: "::ffff:127.0.0.1", family: 6 }],
    [{ address: "169.254.169.254", family: 4 }],
    [],
  ];
  const lookup = mock.method(dns, "lookup", ((_host, _options, callback) => {
    const answer = answers[lookups % answers.length];
    lookups += 1;
    callback(null, answer);
  }) as (host: string, options: object, callback: (error: null, found: unknown) => void) => void);
  try {
    for (const _ of answers)
      await refused(host.url("/client.json", "rebinding.example"), `lookup ${lookups}`);
  } finally {
    lookup.mock.restore();
  }
  assert.equal(lookups, answers.length);
  assert.equal(host.connections, 0);
});

test("a URL in another spelling than its one is no document's address", async () => {
  await using the = await openWorld();
  const browser = await the.signedIn();
  for (const address of ["http://a.example/x", "https://A.example/x", "https://a.example:443/x"]) {
    const answer = await browser.get(appAt(the, address).address());
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /not registered here/);
  }
});

test("fetches count for the address that causes them, separately from its registrations, and do not wait for each other", async () => {
  await using the = await openWorld({ LIMITS: JSON.stringify({ registration: { perHour: 3 } }) });
  await using host = await documentHost();
  host.answer = (_request, response) => response.writeHead(500).end();
  const browser = await the.signedIn();
  const statuses: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    statuses.push((await browser.get(appAt(the, host.url(`/${turn}`)).address())).status);
  }
  assert.deepEqual(statuses, [400, 400, 400, 429, 429]);
  assert.equal(host.requests.length, 3);
  const told = await browser.get(appAt(the, host.url("/9")).address());
  assert.ok(Number(told.headers.get("retry-after")) > 3_500);
  assert.match(await told.text(), /Too many applications were looked up/);
  assert.ok(await Application.register(the), "registrations are counted apart");
});

test("a document without an authorization is deleted after 30 days, one with an authorization is not", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  const browser = await the.signedIn();
  const [kept, seen] = [appAt(the, host.url("/kept.json")), appAt(the, host.url("/seen.json"))];
  const tokens = await kept.tokens(browser);
  await browser.get(seen.address());
  await the.sql("UPDATE client SET created_at = now() - interval '31 days', document_until = now()");
  assert.equal(await sweep(the.service), true);
  assert.deepEqual(await the.sql("SELECT id FROM client"), [{ id: kept.clientId }]);
  assert.equal((await kept.refresh(tokens.refresh)).status, 200);
  assert.equal((await browser.get(seen.address())).status, 200, "it is read anew");
});

test("many requests at once cause one fetch that is counted once, and all see the same application", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  const browser = await the.signedIn();
  const app = appAt(the, host.url());
  const pages = await Promise.all(Array.from({ length: 12 }, () => browser.get(app.address())));
  assert.deepEqual(
    pages.map(({ status }) => status),
    pages.map(() => 200),
  );
  assert.equal(host.requests.length, 1);
  assert.equal((await the.sql("SELECT FROM client")).length, 1);
  assert.deepEqual(await the.sql("SELECT cardinality(at) AS calls FROM registration_calls"), [{ calls: 1 }]);
});

test("with documents off a URL is no client, no page names it and discovery does not offer it", async () => {
  await using the = await openWorld();
  await using host = await documentHost();
  await using off = await world({ env: { CIMD: "off" } });
  for (const browser of [off.browser(), await off.signedIn()]) {
    const answer = await browser.get(appAt(off, host.url()).address());
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /not registered here/);
  }
  const offered = async (at: World) =>
    (await bodyOf(await fetch(`${at.authUrl}/.well-known/oauth-authorization-server`)))
      .client_id_metadata_document_supported;
  assert.deepEqual([await offered(the), await offered(off)], [true, undefined]);
  assert.equal(host.connections, 0);
});
