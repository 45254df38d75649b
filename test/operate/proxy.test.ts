import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Agent as PlainAgent, type Server } from "node:http";
import { Agent } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as tlsConnect } from "node:tls";
import { parseEnv } from "node:util";
import { large } from "../large.ts";
import { type RollingInstance, startInstance } from "../processes/rolling-instance.ts";
import { freePort, type KeyActor, type World, world } from "../world.ts";
import { blockOf } from "./support/blocks.ts";
import { call, opened } from "./support/https-call.ts";
import {
  API,
  type Ports,
  placed,
  type RunningProxy,
  startHaproxy,
  startNginx,
  WEB,
  without,
} from "./support/proxies.ts";

const PROXIES = [
  { name: "HAProxy", start: startHaproxy, skip: without.haproxy, keepsClients: true },
  { name: "nginx", start: startNginx, skip: without.nginx, keepsClients: false },
] as const;

const METRICS_TOKEN = "token of the operator";

/** Two instances of the service with a key of theirs, and how to restart them. */
interface Running extends AsyncDisposable {
  the: World;
  ports: [Ports, Ports];
  key: KeyActor;
  restart(at: 0 | 1, meanwhile: { away(): Promise<void>; back(): Promise<void> }): Promise<number | null>;
}

async function twoInstances(): Promise<Running> {
  const the = await world({ alone: true });
  const somewhere = async (): Promise<Ports> => ({ web: await freePort(), api: await freePort() });
  const ports: [Ports, Ports] = [await somewhere(), await somewhere()];
  const folder = await mkdtemp(join(tmpdir(), "leadgate-metrics-"));
  const token = join(folder, "token");
  await writeFile(token, `${METRICS_TOKEN}\n`);
  const places = {
    "/etc/leadgate/metrics-token": token,
    "10.0.0.10": "127.0.0.1",
    "HOST=0.0.0.0": "HOST=127.0.0.1",
  };
  const env = {
    ...the.env,
    // As the page says: the usual time.
    DRAIN_SECONDS: "",
    ...(parseEnv(placed(blockOf("proxy.md", "Settings of the instances"), places)) as Record<string, string>),
    LIMITS: JSON.stringify({ registration: { perHour: 1 }, api: null, datasetImports: null }),
  };
  const instances: RollingInstance[] = await Promise.all(ports.map((each) => startInstance(env, each)));
  return {
    ...{ the, ports, key: await the.key(["leads:read", "leads:write"]) },
    async restart(at, { away, back }) {
      await away();
      const code = (await instances[at]?.stop())?.code ?? null;
      instances[at] = await startInstance(env, ports[at]);
      await back();
      return code;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(instances.map((each) => each.stop()));
      await the[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

test("proxy.md: the files of deploy/ stand on the page, with the commands that check them", async () => {
  assert.equal(blockOf("proxy.md", "HAProxy"), await readFile("deploy/haproxy/haproxy.cfg", "utf8"));
  assert.equal(blockOf("proxy.md", "HAProxy", 1), "haproxy -c -f /etc/haproxy/haproxy.cfg\n");
  assert.equal(blockOf("proxy.md", "nginx"), await readFile("deploy/nginx/leadgate.conf", "utf8"));
  assert.equal(blockOf("proxy.md", "nginx", 1), "nginx -t\n");
});

for (const { name, start, skip, keepsClients } of PROXIES) {
  large(`behind ${name} with the file of deploy/`, { skip }, async (t: TestContext) => {
    await using running = await twoInstances();
    const { the, ports, key } = running;
    await using proxy = await start(ports);
    for (const at of [0, 1]) await proxy.use(at, true);
    proxy.checked();
    const { ca, https: port } = proxy;
    const bearer = { Authorization: `Bearer ${key.text}` };
    const ask = (host: string, path: string, more: Partial<Parameters<typeof call>[0]> = {}) =>
      call({ port, host, path, ca, ...more });

    await t.test("both hosts answer over TLS, once with HSTS, and other hosts are refused", async () => {
      const web = await ask(WEB, "/.well-known/oauth-authorization-server");
      assert.equal(web.status, 200);
      assert.equal(JSON.parse(web.body).issuer, `https://${WEB}`);
      const api = await ask(API, "/api/v1/fields", { headers: bearer });
      assert.equal(api.status, 200, api.body);
      for (const { headers } of [web, api])
        assert.equal(headers["strict-transport-security"], "max-age=31536000");
      const other = await call({ port, host: "evil.example", path: "/", ca, servername: WEB });
      assert.equal(other.status, 421);
    });

    await t.test("http is redirected to https with the same path", async () => {
      const { status, headers } = await call({ port: proxy.http, host: WEB, path: "/sign-in?next=%2F" });
      assert.deepEqual([status, headers.location], [308, `https://${WEB}/sign-in?next=%2F`]);
    });

    await t.test("limits and the log see the client's address, whatever the client claims", async () => {
      const register = (from: string, claimed: string) =>
        ask(WEB, "/api/oauth/register", {
          ...{
            from,
            body: JSON.stringify({ redirect_uris: ["https://app.example/cb"], client_name: "App" }),
          },
          headers: {
            ...{ "X-Forwarded-For": claimed, "X-Real-IP": claimed, Forwarded: `for=${claimed}` },
            ...{ X_Forwarded_For: claimed },
          },
        });
      const statuses = [];
      for (const [from, claimed] of [
        ["127.0.0.2", "203.0.113.1"],
        ["127.0.0.2", "203.0.113.2"],
        ["127.0.0.3", "203.0.113.1"],
      ] as const)
        statuses.push((await register(from, claimed)).status);
      assert.deepEqual(statuses, [201, 429, 201]);
      const logged = await the.sql<{ address: string }>(
        "SELECT DISTINCT address FROM audit ORDER BY address",
      );
      assert.deepEqual(
        logged.map(({ address }) => address).filter((address) => address !== null),
        ["127.0.0.2", "127.0.0.3"],
      );
    });

    await t.test("an event arrives while its stream stays open", async () => {
      const stream = await opened({ port, host: API, path: "/api/v1/events/stream", ca, headers: bearer });
      assert.equal(stream.statusCode, 200);
      let seen = "";
      stream.setEncoding("utf8");
      const created = await ask(API, "/api/v1/leads", { headers: bearer, body: '{"name":"Streamed"}' });
      assert.equal(created.status, 201);
      const { id } = JSON.parse(created.body) as { id: string };
      for await (const part of stream) {
        seen += part;
        if (seen.includes(id)) break;
      }
      assert.ok(seen.includes(id), "the stream ended before the event came");
    });

    await t.test("a file that is larger than other calls may be is uploaded whole", async () => {
      const rows = Array.from({ length: 300_000 }, (_, i) => `Person ${i},p${i}@${"x".repeat(40)}.example`);
      const file = Buffer.from(`name,email\n${rows.join("\n")}\n`);
      assert.ok(file.length > 17 * 1_024 * 1_024, "more than other calls may send");
      const sent = await ask(API, "/api/v1/imports", {
        ...{ body: file, headers: { ...bearer, "Content-Type": "text/csv" } },
      });
      assert.equal(sent.status, 201, sent.body);
      const { file: stored } = JSON.parse(sent.body) as { file: { bytes: number } };
      assert.equal(stored.bytes, file.length);
    });

    await t.test("/metrics is closed from outside, with the token and in any spelling", async () => {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
      const direct = await call({ port: ports[0].web, host: WEB, path: "/metrics", headers });
      assert.match(direct.body, /^leadgate_request_seconds/m);
      for (const host of [WEB, API]) {
        for (const path of [
          "/metrics",
          "/metrics?x=1",
          "/%6detrics",
          "/metric%73",
          "//metrics",
          "/./metrics",
          "/metrics/",
        ]) {
          const { status, body } = await ask(host, path, { headers });
          assert.ok(status === 404 || status === 400, `${path}: ${status}`);
          assert.doesNotMatch(body, /leadgate_/);
        }
      }
    });

    await t.test("instances are restarted one after another without losing a request", async () => {
      const isOver = new AbortController();
      const faults: string[] = [];
      let created = 0;
      const clients = Array.from({ length: 6 }, async (_, client) => {
        // nginx ends idle connections of clients when it reads its file again; the next request must open its own
        const agent = keepsClients ? new Agent({ keepAlive: true, maxSockets: 1, ca }) : undefined;
        while (!isOver.signal.aborted) {
          const isWrite = Math.random() < 0.5;
          const body = { body: JSON.stringify({ name: `Rolling ${client}` }) };
          const answer = await ask(API, isWrite ? "/api/v1/leads" : "/api/v1/fields", {
            ...{ headers: bearer, ...(isWrite ? body : {}) },
            agent: (agent ?? new Agent({ ca })) as PlainAgent,
          }).catch((error: Error) => ({ status: 0, body: error.message }));
          if (answer.status !== (isWrite ? 201 : 200)) faults.push(`${answer.status} ${answer.body}`);
          else if (isWrite) created += 1;
          await sleep(5);
        }
        agent?.destroy();
      });
      for (const at of [0, 1] as const) {
        const code = await running.restart(at, {
          away: () => proxy.use(at, false),
          back: () => proxy.use(at, true),
        });
        assert.equal(code, 0);
      }
      isOver.abort();
      await Promise.all(clients);
      assert.deepEqual(faults, []);
      const [stored] = await the.sql<{ n: number }>(
        "SELECT count(*)::integer AS n FROM store.lead WHERE project_id = $1 AND name LIKE 'Rolling %'",
        [the.project.id],
      );
      assert.ok(created > 0);
      assert.equal(stored?.n, created);
    });
  });

  test(`${name} passes on neither claims of clients nor hidden requests`, { skip }, async () => {
    const seen: { url: string; headers: string[] }[] = [];
    const echo: Server = createServer((request, response) => {
      if (request.url !== "/readyz") seen.push({ url: request.url ?? "", headers: request.rawHeaders });
      request.resume().on("end", () => response.end("{}"));
    });
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    const { port } = echo.address() as AddressInfo;
    const place = { web: port, api: port };
    try {
      await using proxy: RunningProxy = await start([place, place]);
      for (const at of [0, 1]) await proxy.use(at, true);
      const claims = {
        ...{ Forwarded: "for=203.0.113.9", "X-Real-IP": "203.0.113.9", "X-Forwarded-Host": "evil.example" },
        ...{ "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http", "X-Forwarded-Port": "1" },
        ...{ X_Forwarded_For: "203.0.113.9", Content_Length: "7" },
      };
      const { https, ca } = proxy;
      await call({ port: https, host: WEB, path: "/a", ca, headers: claims, from: "127.0.0.2" });
      const [{ headers } = { headers: [] }] = seen.splice(0);
      const names = headers.filter((_, at) => at % 2 === 0).map((each) => each.toLowerCase());
      const claimed = names.filter((each) => /^x-forwarded-|^forwarded$|^x-real-ip$|_/.test(each));
      assert.deepEqual(claimed, ["x-forwarded-for"]);
      assert.equal(headers[headers.findIndex((each) => /^x-forwarded-for$/i.test(each)) + 1], "127.0.0.2");
      for (const head of [
        "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked\r\nContent-Length: 5\r\n\r\nGET /hidden HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nContent-Length: 0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding : chunked\r\n\r\nGET /hidden HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: HOST\r\nX: a\nX-Forwarded-For: 203.0.113.9\r\nTransfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
      ]) {
        await rawExchange(proxy, head.replaceAll("HOST", WEB));
      }
      assert.deepEqual(
        seen.filter(({ url, headers: sent }) => url === "/hidden" || sent.includes("203.0.113.9")),
        [],
      );
    } finally {
      echo.close();
      echo.closeAllConnections();
    }
  });
}

/** Sends bytes over TLS and waits until the proxy closes the connection, or has answered once. */
async function rawExchange({ https, ca }: RunningProxy, bytes: string): Promise<void> {
  const socket = tlsConnect({ port: https, host: "127.0.0.1", servername: WEB, ca });
  socket.on("error", () => undefined);
  socket.write(bytes, "latin1");
  await new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.once("data", () => setTimeout(() => socket.destroy(), 300));
  });
}
