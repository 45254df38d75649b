import assert from "node:assert/strict";
import pg from "pg";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { begun, until } from "./support/process.ts";

/** The advisory lock of the process that migrates. */
const LOCK = 7_237_001;

/** Another process that migrates, as far as instances can see. */
async function migrator(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
  return client;
}

/** Requests of every kind of caller, and what each of them expects to read. */
const CALLS = (webUrl: string, apiUrl: string): [url: string, init: RequestInit, body: RegExp][] => [
  [
    `${apiUrl}/api/v1/leads`,
    {},
    /^\{"error":\{"code":"migrating","message":"The service is being upgraded\..*"request_id":"req_/,
  ],
  [
    `${apiUrl}/api/leads/query`,
    { method: "POST", body: "{}" },
    /^\{"detail":"The service is being.*","code":"migrating"\}$/,
  ],
  [
    `${webUrl}/api/oauth/token`,
    { method: "POST", body: new URLSearchParams({ grant_type: "refresh_token" }) },
    /^\{"error":"temporarily_unavailable",/,
  ],
  [
    `${webUrl}/mcp`,
    { method: "POST", body: "{}" },
    /^\{"jsonrpc":"2\.0","id":null,"error":\{.*"code":"migrating"/,
  ],
  [`${webUrl}/sign-in`, {}, /<h1>Not available<\/h1>\s*<p>The service is being upgraded\./],
  [`${webUrl}/sign-in`, { headers: { "Accept-Language": "pt-BR" } }, /O serviço está sendo atualizado\./],
];

large(
  "an instance that waits for another's migration is alive but not ready, tells every caller so in its own form, and serves when that one is killed",
  async (t) => {
    const database = await freshDatabase();
    const other = await migrator(database.url);
    const waiting = await begun(t, database.url);
    await until(503, waiting);
    for (const url of [waiting.authUrl, waiting.baseUrl]) {
      const alive = await fetch(`${url}/livez`);
      assert.deepEqual([alive.status, await alive.text()], [200, '{"status":"ok"}']);
      assert.equal(await (await fetch(`${url}/readyz`)).text(), '{"status":"migrating"}');
    }
    for (const [url, init, body] of CALLS(waiting.authUrl, waiting.baseUrl)) {
      const answer = await fetch(url, init);
      assert.equal(answer.status, 503, url);
      assert.ok(Number(answer.headers.get("retry-after")) > 0, url);
      assert.match(answer.headers.get("x-request-id") ?? "", /^req_/, url);
      assert.match(await answer.text(), body);
    }
    const killer = new pg.Client(database.url);
    await killer.connect();
    await killer.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      [LOCK],
    );
    await killer.end();
    await until(200, waiting);
    waiting.child.kill("SIGTERM");
    assert.equal(await waiting.ended, 0, waiting.printed());
    await other.end().catch(() => undefined);
    await database.drop();
  },
);

large(
  "SIGTERM ends an instance that waits for another's migration with 0, while that one goes on",
  async (t) => {
    const database = await freshDatabase();
    const other = await migrator(database.url);
    const waiting = await begun(t, database.url);
    await until(503, waiting);
    waiting.child.kill("SIGTERM");
    assert.equal(await waiting.ended, 0, waiting.printed());
    await other.end();
    await database.drop();
  },
);
