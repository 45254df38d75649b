import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { large } from "../../large.ts";
import { freePort, type World, world } from "../../world.ts";
import { post } from "../support/application.ts";
import { grants, others, throughHttp } from "../support/issuing.ts";
import { secretsIn } from "../support/searching.ts";

/** Starts a second instance on the same database, a process that logs everything it can into a file. */
async function loudInstance(the: World, file: string): Promise<{ the: World; stop(): Promise<void> }> {
  const [authPort, apiPort] = [await freePort(), await freePort()];
  const env = {
    ...the.env,
    PATH: process.env.PATH ?? "",
    AUTH_URL: `http://localhost:${authPort}`,
    BASE_URL: `http://localhost:${apiPort}`,
    LOG_LEVEL: "trace",
  };
  const log = openSync(file, "a");
  const child = spawn(process.execPath, ["src/main.ts", "serve"], { env, stdio: ["ignore", log, log] });
  closeSync(log);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const isUp = () =>
    fetch(`${env.AUTH_URL}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(await readFile(file, "utf8"));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    the: { ...the, authUrl: env.AUTH_URL, baseUrl: env.BASE_URL },
    async stop() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** Returns every row of every table as text. */
async function dumpOf(the: World): Promise<string> {
  const tables = await the.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await the.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

/** Returns the service's responses to each secret in wrong places, as one text. */
async function wrongAnswers(the: World, secrets: readonly string[]): Promise<string> {
  const asBearer = (url: string, secret: string, init: RequestInit = {}) =>
    fetch(url, {
      ...init,
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    });
  const { authUrl, baseUrl } = the;
  const texts: string[] = [];
  for (const secret of secrets) {
    const encoded = encodeURIComponent(secret);
    const exchange = {
      grant_type: "authorization_code",
      code: secret,
      redirect_uri: "x",
      code_verifier: "x",
    };
    const answers = await Promise.all([
      post(the, "/api/oauth/token", { ...exchange, client_id: secret }),
      post(the, "/api/oauth/token", { grant_type: secret, client_id: "x", refresh_token: secret }),
      post(the, "/api/oauth/introspect", { token: secret, client_id: "another" }),
      post(the, "/api/oauth/revoke", { token: secret, client_id: "another", [secret]: "x" }),
      asBearer(`${authUrl}/mcp`, `${secret}x`, { method: "POST", body: "{}" }),
      asBearer(`${baseUrl}/api/leads/query/`, `${secret}x`, { method: "POST", body: "{}" }),
      fetch(`${authUrl}/oauth/authorize?client_id=${encoded}&redirect_uri=${encoded}`),
      fetch(`${authUrl}/setup/${encoded}`),
      fetch(`${authUrl}/nothing/${encoded}`),
      fetch(`${authUrl}/api/oauth/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ redirect_uris: [secret], client_name: "x" }),
      }),
    ]);
    texts.push(...(await Promise.all(answers.map((answer) => answer.text()))));
  }
  return texts.join("\n");
}

/** Issues so many secrets by HTTP, as tokens and as everything else, and searches for them. */
async function noneIsFound(
  t: TestContext,
  some: { http: number; grants: number; others: number },
): Promise<void> {
  const invitations = { perHour: null, projectPerHour: null, recipientPerDay: null };
  await using the = await world({ config: { invitations } });
  const folder = await mkdtemp(join(tmpdir(), "leadgate-secrets-"));
  const [outer, inner] = [join(folder, "instance.log"), join(folder, "domain.log")];
  const instance = await loudInstance(the, outer);
  try {
    const log = pino({ level: "trace" }, pino.destination({ dest: inner, sync: true }));
    const service = { ...the.service, log };
    const http = await throughHttp(instance.the, some.http);
    const secrets = [
      ...http,
      ...(await grants(service, the, some.grants)),
      ...(await others(service, the, some.others)),
      ...[the.person.password, the.env.SECRET_KEY ?? "none"],
    ];
    const least = some.http + some.grants + some.others;
    assert.ok(new Set(secrets).size >= least, `${secrets.length} were issued`);

    const sample = secrets.filter((_, at) => at % 200 === 0 || at < some.http / 6);
    const errors = [await wrongAnswers(instance.the, sample)];
    // Statements that do fail: one for a missing table, one with an error that contains the entire row.
    await the.sql("ALTER TABLE leadgate.client RENAME TO client_away");
    errors.push(await wrongAnswers(instance.the, sample.slice(0, some.http / 12)));
    await the.sql("ALTER TABLE leadgate.client_away RENAME TO client");
    await the.sql("ALTER TABLE store.access_token ADD CONSTRAINT never CHECK (false) NOT VALID");
    await assert.rejects(throughHttp(instance.the, 1));
    await the.sql("ALTER TABLE store.access_token DROP CONSTRAINT never");
    await instance.stop();

    const dump = await dumpOf(the);
    const logs = (await readFile(outer, "utf8")) + (await readFile(inner, "utf8"));
    assert.match(logs, /"msg":"answered"/);
    assert.match(logs, /client.{0,20}does not exist/, "the failure is in the log");
    const key = secrets.find((secret) => secret.startsWith("lgk_")) ?? "";
    assert.ok(
      dump.includes(createHash("sha256").update(key).digest("hex")),
      "the dump is of what was issued",
    );
    assert.equal(
      secretsIn(`x ${Buffer.from(key).toString("hex")} ${key} x`, secrets).length,
      1,
      "it would find one",
    );
    for (const [name, text] of Object.entries({ dump, logs, errors: errors.join("\n") })) {
      assert.deepEqual(secretsIn(text, secrets), [], name);
      assert.ok(!text.includes(the.person.password), `the password in the ${name}`);
      t.diagnostic(`${name}: ${text.length} characters searched for ${secrets.length} secrets`);
    }
  } finally {
    await instance.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

test("of 500 secrets none is in the database, in the loudest log or in an error, not even when statements fail", (t) =>
  noneIsFound(t, { http: 24, grants: 126, others: 350 }));

large(
  "of 10,000 secrets none is in the database, in the loudest log or in an error, not even when statements fail",
  (t) => noneIsFound(t, { http: 200, grants: 2_500, others: 7_300 }),
);
