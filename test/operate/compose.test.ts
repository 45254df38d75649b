import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { large } from "../large.ts";
import { noRedis, ownRedis } from "../limits/support/redis.ts";
import { startInstance } from "../processes/rolling-instance.ts";
import { lacks } from "../programs.ts";
import { freePort, world } from "../world.ts";
import { blockOf } from "./support/blocks.ts";
import { call } from "./support/https-call.ts";
import { API, type Ports, placed, startHaproxy, WEB, without } from "./support/proxies.ts";

const SCRIPT = blockOf("containers.md", "Two instances with compose");

/** Runs the script of the page in a copy of deploy/, without starting containers; returns its folder. */
async function prepared(places: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "leadgate-compose-"));
  await cp("deploy", join(folder, "deploy"), { recursive: true });
  const script = placed(SCRIPT, { "docker-compose up --detach\n": "", ...places });
  await promisify(execFile)("sh", ["-ec", script], { cwd: folder });
  return join(folder, "deploy");
}

large(
  "compose.yaml is valid for docker-compose, and the page creates every secret that it names",
  {
    skip: lacks("docker-compose", "openssl"),
  },
  async () => {
    const folder = await prepared({});
    try {
      const { stdout } = await promisify(execFile)("docker-compose", ["config"], { cwd: folder });
      const named = [...stdout.matchAll(/file: .*\/secrets\/(\S+)/g)].map(([, name]) => name).sort();
      assert.deepEqual(await readdir(join(folder, "secrets")), named);
      assert.equal(named.length, 4);
      for (const name of named)
        assert.equal((await stat(join(folder, "secrets", String(name)))).mode & 0o777, 0o444, name);
      const wrong = (await readFile(join(folder, "compose.yaml"), "utf8")).replace(
        "read_only:",
        "read_onnly:",
      );
      await writeFile(join(folder, "compose.yaml"), wrong);
      await assert.rejects(promisify(execFile)("docker-compose", ["config"], { cwd: folder }), /read_onnly/);
    } finally {
      await rm(join(folder, ".."), { recursive: true });
    }
  },
);

large(
  "what compose.yaml starts works together: two instances with its settings, PostgreSQL, Redis and HAProxy with its file",
  {
    skip: noRedis || without.haproxy,
  },
  async () => {
    await using the = await world();
    await using redis = await ownRedis();
    const database = new URL(the.databaseUrl);
    database.searchParams.delete("host");
    const folder = await prepared({
      "docker-compose config --quiet\n": "",
      'postgres://leadgate:%s@postgres/leadgate\\n\' "$(cat secrets/database-password)"': `%s\\n' '${database.href}'`,
    });
    // The database of the test has a key already.
    await rm(join(folder, "secrets", "secret-key"));
    await writeFile(join(folder, "secrets", "secret-key"), `${the.env.SECRET_KEY}\n`);
    const text = await readFile(join(folder, "compose.yaml"), "utf8");
    const [, settings = ""] = /\n {2}environment:\n((?: {4}.*\n)+)/.exec(text) ?? [];
    const lines = placed(settings, {
      "/run/secrets": join(folder, "secrets"),
      "redis://redis:6379": redis.url,
      "172.30.16.0/24": "127.0.0.1",
    });
    const environment = Object.fromEntries(
      [...lines.matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
    );
    assert.deepEqual(Object.keys(environment).sort(), [
      ...["AUTH_URL", "BASE_URL", "DATABASE_URL_FILE", "METRICS_TOKEN_FILE", "REDIS_URL", "SECRET_KEY_FILE"],
      "TRUSTED_PROXIES",
    ]);
    const env = { ...environment, LOG_LEVEL: "fatal", LIMITS: '{"api":{"perHour":1,"burst":8}}' };
    const somewhere = async (): Promise<Ports> => ({ web: await freePort(), api: await freePort() });
    const ports: [Ports, Ports] = [await somewhere(), await somewhere()];
    const instances = await Promise.all(ports.map((each) => startInstance(env, each)));
    try {
      await using proxy = await startHaproxy(ports);
      for (const at of [0, 1]) await proxy.use(at, true);
      const { https: port, ca } = proxy;
      const discovery = await call({ port, host: WEB, path: "/.well-known/oauth-authorization-server", ca });
      assert.equal(JSON.parse(discovery.body).issuer, `https://${WEB}`);
      const key = await the.key(["leads:read", "leads:write"]);
      const headers = { Authorization: `Bearer ${key.text}` };
      // HAProxy gives each new connection to the next instance, so both take part, and count together in Redis.
      const statuses: number[] = [];
      for (let i = 0; i < 12; i += 1) {
        const agent = new Agent({ ca });
        const body = JSON.stringify({ name: `Composed ${i}` });
        statuses.push(
          (await call({ port, host: API, path: "/api/v1/leads", ca, headers, body, agent })).status,
        );
      }
      assert.deepEqual(statuses, [...Array(8).fill(201), ...Array(4).fill(429)]);
      const served = await Promise.all(
        ports.map(async ({ api }) => {
          const token = (await readFile(join(folder, "secrets", "metrics-token"), "utf8")).trim();
          const answer = await fetch(`http://127.0.0.1:${api}/metrics`, {
            headers: { Authorization: `Bearer ${token}` },
          });
          return /leadgate_request_seconds_count\{[^}]*route="\/api\/v1\/leads"/.test(await answer.text());
        }),
      );
      assert.deepEqual(served, [true, true]);
    } finally {
      await Promise.all(instances.map((each) => each.stop()));
      await rm(join(folder, ".."), { recursive: true });
    }
  },
);
