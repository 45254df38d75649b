import assert from "node:assert/strict";
import { createServer, type Server } from "node:net";
import { mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, readConfig } from "../../src/config/config.ts";
import { probeDocuments } from "../../src/domain/clients/probe-documents.ts";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import { Application, bodyOf, REDIRECT } from "./support/application.ts";
import { documentHost, OWN_DOCUMENTS } from "./support/document-host.ts";

/** A service without `CIMD`, which may fetch from this machine. */
const worldWith = (documents: Partial<Config["documents"]> = {}, env: Record<string, string> = {}) =>
  world({ env, config: { documents: { ...OWN_DOCUMENTS, advertise: "reachable", ...documents } } });

/** Whether the discovery document offers client documents; both URLs must return the same bytes. */
async function offered(the: World): Promise<boolean> {
  const paths = ["/api/well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server"];
  for (;;) {
    const [first, second] = await Promise.all(
      paths.map(async (path) => (await fetch(the.authUrl + path)).text()),
    );
    const again = await (await fetch(the.authUrl + paths[0])).text();
    // the state may change between two answers, but not between both of these and the third
    if (first !== again) continue;
    assert.equal(first, second);
    return first?.includes('"client_id_metadata_document_supported":true') === true;
  }
}

interface Ready {
  status: string;
  checks: {
    database: { status: string };
    client_documents?: { status: string; advertised: boolean; reason: string; probed_at: string | null };
  };
}

const readiness = async (host: string): Promise<Ready> =>
  (await bodyOf(await fetch(`${host}/readyz?verbose`))) as unknown as Ready;

/** Waits until `/readyz?verbose` gives this reason. */
async function reasonIs(the: World, reason: RegExp): Promise<void> {
  while (!reason.test((await readiness(the.authUrl)).checks.client_documents?.reason ?? "")) await sleep(20);
}

/** Opens a consent page, for which the service fetches the document. */
async function consentPage(the: World, address: string): Promise<number> {
  const browser = await the.signedIn();
  return (await browser.get(new Application(the, address, REDIRECT).address())).status;
}

test("without a setting documents are accepted, and advertised from the first one that was fetched", async () => {
  await using host = await documentHost();
  await using the = await worldWith();
  await reasonIs(the, /No document was fetched yet/);
  assert.equal(await offered(the), false);
  host.answer = (_request, response) => response.writeHead(404).end();
  assert.equal(await consentPage(the, host.url()), 400);
  assert.equal(await offered(the), false, "a document that could not be used is no reason");
  host.serve();
  assert.equal(await consentPage(the, host.url()), 200);
  assert.equal(await offered(the), true);
  for (const url of [the.authUrl, the.baseUrl]) {
    const { client_documents: check } = (await readiness(url)).checks;
    assert.deepEqual(
      [check?.status, check?.advertised, check?.reason],
      ["ok", true, "A document was fetched."],
    );
    assert.match(check?.probed_at ?? "", /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
  }
});

test("another instance, and the next start, probe the document that was fetched last", async () => {
  await using host = await documentHost();
  await using the = await worldWith();
  assert.equal(await consentPage(the, host.url("/first.json")), 200);
  assert.equal(await consentPage(the, host.url("/last.json")), 200);
  const before = host.requests.length;
  host.answer = (_request, response) => response.writeHead(404).end();
  await using next = await worldWith({}, { DATABASE_URL: the.databaseUrl });
  await reasonIs(next, /answered over https/);
  assert.equal(await offered(next), true, "any answer shows that https works");
  assert.deepEqual(
    host.requests.slice(before).map(({ url }) => url),
    ["/last.json"],
  );
  const { ownNetworks: _, ...elsewhere } = OWN_DOCUMENTS;
  await using away = await world({
    env: { DATABASE_URL: the.databaseUrl },
    config: { documents: { ...elsewhere, advertise: "reachable" } },
  });
  await reasonIs(away, /No server outside could be reached/);
  assert.deepEqual([await offered(away), await offered(next)], [false, true], "each has its own network");
});

large(
  "CIMD_PROBE names what is probed, and redirects, errors and other content count as reached",
  async () => {
    await using host = await documentHost();
    for (const [index, status] of [200, 204, 301, 403, 404, 500, 503].entries()) {
      const probe = host.url(`/probe/${index}`);
      host.answer = (_request, response) =>
        response.writeHead(status, { Location: host.url("/moved") }).end();
      await using the = await worldWith({ probe });
      await reasonIs(the, /answered over https/);
      assert.equal(await offered(the), true, String(status));
      assert.equal((await the.sql("SELECT FROM client")).length, 0);
    }
    assert.deepEqual(
      host.requests.map(({ url }) => url),
      host.requests.map((_, index) => `/probe/${index}`),
      "no redirect is followed",
    );
  },
);

test("neither a private address nor a certificate that is not valid nor a server without TLS counts as reached", async () => {
  await using host = await documentHost();
  const plain: Server = createServer((socket) => {
    // the client, which expects TLS, may reset the connection
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const { port } = plain.address() as { port: number };
  const { ca, ownNetworks } = OWN_DOCUMENTS;
  const base = { allowed: true, advertise: "reachable" } as const;
  const cases: Config["documents"][] = [
    { ...base, probe: host.url(), ...(ca ? { ca } : {}) },
    { ...base, probe: host.url("/", "127.0.0.1"), ...(ca ? { ca } : {}) },
    { ...base, probe: host.url(), ...(ownNetworks ? { ownNetworks } : {}) },
    { ...OWN_DOCUMENTS, ...base, probe: `https://127.0.0.1:${port}/` },
  ];
  for (const documents of cases) {
    await using the = await world({ config: { documents } });
    await reasonIs(the, /No server outside could be reached/);
    assert.equal(await offered(the), false, JSON.stringify(documents));
  }
  assert.equal(host.requests.length, 0);
  plain.close();
});

test("three failures in a row end the offer, one success brings it back, and the log tells each change once", async () => {
  await using host = await documentHost();
  await using the = await worldWith({ probe: host.url() });
  await reasonIs(the, /answered over https/);
  const told: string[] = [];
  for (const level of ["info", "warn"] as const) {
    mock.method(the.service.log, level, (...words: unknown[]) => told.push(`${level} ${words.at(-1)}`));
  }
  const probe = async (): Promise<boolean> => {
    await probeDocuments(the.service);
    return await offered(the);
  };
  const answer = host.answer;
  host.answer = (request) => request.socket.destroy();
  assert.deepEqual([await probe(), await probe(), await probe(), await probe()], [true, true, false, false]);
  host.answer = answer;
  assert.deepEqual([await probe(), await probe()], [true, true]);
  host.answer = (request) => request.socket.destroy();
  assert.equal(await probe(), true, "the count starts again");
  const changes = told.filter((line) => line.includes("client documents"));
  assert.deepEqual(changes, [
    "warn client documents are advertised: The last try to reach a server over https failed; it will be repeated.",
    "warn client documents are not advertised: No server outside could be reached over https.",
    "info client documents are advertised: A server outside answered over https.",
    "warn client documents are advertised: The last try to reach a server over https failed; it will be repeated.",
  ]);
});

test("a probe that gets no answer delays neither the start nor requests", async (t) => {
  // however slow this machine is, the probe is still waiting below
  t.mock.method(AbortSignal, "timeout", () => new AbortController().signal);
  await using host = await documentHost();
  const asked = Promise.withResolvers<void>();
  host.answer = () => asked.resolve();
  await using the = await worldWith({ probe: host.url() });
  await asked.promise;
  assert.equal(await offered(the), false);
  assert.equal((await readiness(the.authUrl)).checks.client_documents?.reason, "Nothing was tried yet.");
});

test("a server that only changes the protocol ends no probing", async () => {
  await using host = await documentHost();
  await using the = await worldWith({ probe: host.url() });
  await reasonIs(the, /answered over https/);
  host.answer = ({ socket }) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
  await probeDocuments(the.service);
  await reasonIs(the, /The last try to reach a server over https failed/);
});

test("CIMD=on advertises at once and CIMD=off never, and neither probes", async () => {
  await using host = await documentHost();
  for (const [CIMD, advertised] of [
    ["on", true],
    ["off", false],
  ] as const) {
    const documents = { ...OWN_DOCUMENTS, ...readConfig({ CIMD, CIMD_PROBE: host.url("/probe") }).documents };
    await using the = await world({ config: { documents } });
    assert.equal(await offered(the), advertised);
    if (advertised) assert.equal(await consentPage(the, host.url("/client.json")), 200);
    assert.equal(await offered(the), advertised);
    const { client_documents: check } = (await readiness(the.authUrl)).checks;
    assert.deepEqual(check, { status: "ok", advertised, reason: `CIMD is ${CIMD}.`, probed_at: null });
  }
  assert.deepEqual(
    host.requests.map(({ url }) => url),
    ["/client.json"],
  );
});

test("the settings have clear errors, and automatic is the default", () => {
  const read = (env: Record<string, string>) => readConfig(env).documents;
  const automatic = { allowed: true, advertise: "reachable" };
  for (const env of [{}, { CIMD: "" }, { CIMD: "auto", CIMD_PROBE: "" }])
    assert.deepEqual(read(env), automatic);
  assert.deepEqual(read({ CIMD: "on" }), { allowed: true, advertise: "always" });
  assert.equal(read({ CIMD: "off" }).allowed, false);
  assert.equal(read({ CIMD_PROBE: "https://example.com/" }).probe, "https://example.com/");
  assert.throws(() => read({ CIMD: "yes" }), /CIMD is "yes"; it must be one of on, off, auto\./);
  for (const CIMD_PROBE of ["example.com", "http://example.com/", "https://", "https://a:b@example.com/"]) {
    assert.throws(() => read({ CIMD_PROBE }), /CIMD_PROBE is ".*"; it must be an https URL, such as/);
  }
});

test("/readyz alone stays as it was, and an instance without pages says nothing about documents", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const answer = await fetch(`${the.baseUrl}/readyz`);
  assert.equal(await answer.text(), '{"status":"ok"}');
  assert.deepEqual(await readiness(the.baseUrl), {
    status: "ok",
    checks: { database: { status: "ok" }, writes: { status: "ok" } },
  });
  mock.method(the.service.db.pool, "connect", () => Promise.reject(new Error("away")));
  let plain = await fetch(`${the.baseUrl}/readyz`);
  while (plain.status === 200) plain = await fetch(`${the.baseUrl}/readyz`);
  assert.deepEqual(
    [plain.status, await plain.text()],
    [503, '{"status":"unavailable","reason":"the database does not answer"}'],
  );
  const verbose = await fetch(`${the.baseUrl}/readyz?verbose`);
  assert.equal(verbose.status, 503);
  assert.deepEqual(((await verbose.json()) as Ready).checks, {
    database: { status: "unavailable" },
    writes: { status: "unknown" },
  });
});
