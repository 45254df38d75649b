import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { FAKETIME, lacksFaketime } from "../programs.ts";
import { freePort, world } from "../world.ts";
import { proxyTo, reported, type Sound, sound } from "./support/installation.ts";
import { leadgate, ran } from "./support/leadgate.ts";

type Examined = {
  mistakes: number;
  findings: { check: string; result: string; found: string; advice: string | null }[];
};

/** A mistake: how it is planted, with which settings the doctor then runs, and what it has to find and advise. */
interface Planted {
  what: string;
  plant(
    installation: Sound,
    undo: (undoing: () => Promise<unknown>) => void,
  ): Promise<Record<string, string | undefined>>;
  found: RegExp;
  advice: RegExp;
}

const settings = (env: Record<string, string | undefined>) => async () => env;

const PLANTED: readonly Planted[] = [
  {
    what: "a setting that cannot be read",
    plant: settings({ LIMITS: '{"calls":1}' }),
    found: /LIMITS has the unknown key "calls"/,
    advice: /Correct LIMITS/,
  },
  {
    what: "a public URL without TLS",
    plant: settings({ AUTH_URL: "http://leads.example.com" }),
    found: /AUTH_URL is http:.*plain text/,
    advice: /proxy with TLS/,
  },
  {
    what: "HOST is public, the URLs are on localhost",
    plant: settings({ HOST: "0.0.0.0" }),
    found: /HOST is 0\.0\.0\.0.*localhost/,
    advice: /Set AUTH_URL and BASE_URL/,
  },
  {
    what: "AUTH_URL is BASE_URL",
    plant: async ({ env }) => ({ AUTH_URL: env.BASE_URL }),
    found: /AUTH_URL and BASE_URL are the same host/,
    advice: /a name or a port each/,
  },
  {
    what: "https URLs without TRUSTED_PROXIES",
    plant: settings({
      ...{ AUTH_URL: "https://leads.example.com", BASE_URL: "https://api.leads.example.com" },
      TRUSTED_PROXIES: undefined,
    }),
    found: /TRUSTED_PROXIES is missing, although a proxy/,
    advice: /Set TRUSTED_PROXIES/,
  },
  {
    what: "requests come through a proxy that no setting names",
    plant: settings({ TRUSTED_PROXIES: undefined }),
    found: /AUTH_URL come through a proxy \(127\.0\.0\.1\), but TRUSTED_PROXIES is missing/,
    advice: /Set TRUSTED_PROXIES=127\.0\.0\.1/,
  },
  {
    what: "TRUSTED_PROXIES names another address",
    async plant(_, undo) {
      const other = await sound({ TRUSTED_PROXIES: "10.9.9.9" });
      undo(() => Promise.resolve(other[Symbol.asyncDispose]()));
      return other.env;
    },
    found: /come from 127\.0\.0\.1, which is not in TRUSTED_PROXIES/,
    advice: /Add 127\.0\.0\.1/,
  },
  {
    what: "the proxy drops X-Forwarded-For",
    async plant({ the }, undo) {
      const proxy = await proxyTo(the.config.authPort, "dropped");
      undo(proxy.close);
      return { AUTH_URL: proxy.url };
    },
    found: /proxy of AUTH_URL sends no X-Forwarded-For/,
    advice: /proxy_set_header X-Forwarded-For/,
  },
  {
    what: "the proxy believes what clients claim",
    async plant({ the }, undo) {
      const proxy = await proxyTo(the.config.apiPort, "passed");
      undo(proxy.close);
      return { BASE_URL: proxy.url };
    },
    found: /proxy of BASE_URL passes on the X-Forwarded-For of clients/,
    advice: /replace the header/,
  },
  {
    what: "the proxy leads AUTH_URL to the API host",
    async plant({ the }, undo) {
      const proxy = await proxyTo(the.config.apiPort);
      undo(proxy.close);
      return { AUTH_URL: proxy.url };
    },
    found: /AUTH_URL .* leads to the api host, not to the web host/,
    advice: /AUTH_URL to AUTH_PORT/,
  },
  {
    what: "another program answers at BASE_URL",
    async plant(_, undo) {
      const other = createServer((_request, response) => response.end("welcome to nginx"));
      await once(other.listen(0, "127.0.0.1"), "listening");
      undo(async () => other.close());
      return { BASE_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` };
    },
    found: /What answers at BASE_URL .* is not this service/,
    advice: /Correct BASE_URL/,
  },
  {
    what: "the role has a small CONNECTION LIMIT",
    async plant({ the }, undo) {
      const role = `doctor_${process.pid}`;
      await the.sql(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 5`);
      await the.sql(`GRANT USAGE ON SCHEMA leadgate TO ${role}`);
      await the.sql(`GRANT SELECT ON ALL TABLES IN SCHEMA leadgate TO ${role}`);
      undo(async () => {
        await the.sql(`REVOKE ALL ON ALL TABLES IN SCHEMA leadgate FROM ${role}`);
        await the.sql(`REVOKE USAGE ON SCHEMA leadgate FROM ${role}; DROP ROLE ${role}`);
      });
      const url = new URL(the.databaseUrl);
      url.username = role;
      return { DATABASE_URL: url.href };
    },
    found: /opens up to 24, but the role's CONNECTION LIMIT is 5/,
    advice: /ALTER ROLE/,
  },
  {
    what: "backups on the disk of the data",
    plant: async ({ folder }) => ({
      ...{
        DATABASE_URL: undefined,
        DATA_DIR: folder,
        BACKUPS: JSON.stringify({ to: join(folder, "backups") }),
      },
    }),
    found: /on the disk of the data/,
    advice: /another disk or machine/,
  },
  {
    what: "the newest backup is old",
    async plant({ the, folder }, undo) {
      await reported(the, folder, { hours: 60, verifiedHours: 60 });
      undo(() => reported(the, folder, { hours: 3, verifiedHours: 20 }));
      return {};
    },
    found: /The newest backup is 60 hours old/,
    advice: /Make one by hand/,
  },
  {
    what: "no backup was verified",
    async plant({ the, folder }, undo) {
      await reported(the, folder, { hours: 3 });
      undo(() => reported(the, folder, { hours: 3, verifiedHours: 20 }));
      return {};
    },
    found: /No backup is known to be verified/,
    advice: /backup verify/,
  },
  {
    what: "backups without a passphrase",
    plant: settings({ BACKUP_PASSPHRASE: undefined }),
    found: /BACKUP_PASSPHRASE is missing/,
    advice: /Set BACKUP_PASSPHRASE/,
  },
  {
    what: "fewer descriptors than ADMISSION needs",
    plant: settings({ ADMISSION: '{"waiting":1000000}' }),
    found: /file descriptors, but the requests that ADMISSION lets in/,
    advice: /LimitNOFILE/,
  },
  {
    what: "nobody listens at SMTP_URL",
    plant: async () => ({ SMTP_URL: `smtp://mailer:secret-of-mail@127.0.0.1:${await freePort()}` }),
    found: /mail server does not answer.*ECONNREFUSED/,
    advice: /SMTP_URL/,
  },
  {
    what: "nobody listens at REDIS_URL",
    plant: async () => ({ REDIS_URL: `redis://:secret-of-redis@127.0.0.1:${await freePort()}` }),
    found: /Redis does not answer.*ECONNREFUSED/,
    advice: /REDIS_URL/,
  },
  {
    what: "the database was upgraded by a newer release",
    async plant({ the }, undo) {
      await the.sql("INSERT INTO leadgate.migration (name, needs) VALUES ('9999_later.sql', '99.0.0')");
      undo(() => the.sql("DELETE FROM leadgate.migration WHERE name = '9999_later.sql'"));
      return {};
    },
    found: /needs Leadgate 99\.0\.0 or newer/,
    advice: /Use the release/,
  },
];

/** Whether the doctor names a planted mistake, with what to do. */
async function isNamed(installation: Sound, { plant, found, advice }: Planted): Promise<string | undefined> {
  const undoing: (() => Promise<unknown>)[] = [];
  try {
    const findings = await installation.findings(await plant(installation, (undo) => undoing.push(undo)));
    const text = findings.map((finding) => `${finding.found} → ${finding.advice}`).join("\n");
    assert.doesNotMatch(text, /secret-of-/);
    const isIn = findings.some((finding) => found.test(finding.found) && advice.test(finding.advice ?? ""));
    return isIn ? undefined : text;
  } finally {
    for (const undo of undoing) await undo();
  }
}

test("the doctor finds nothing wrong with a sound installation, and names a wrong setting, proxy and mail server with what to do", async () => {
  await using installation = await sound();
  assert.deepEqual(await installation.findings(), []);
  for (const what of [
    "a setting that cannot be read",
    "the proxy drops X-Forwarded-For",
    "the newest backup is old",
    "nobody listens at SMTP_URL",
  ]) {
    const planted = PLANTED.find((each) => each.what === what);
    assert.ok(planted !== undefined);
    assert.equal(await isNamed(installation, planted), undefined, what);
  }
});

large("the doctor names at least 18 of 20 planted mistakes, each with what to do", async (t) => {
  await using installation = await sound();
  assert.equal(PLANTED.length, 20);
  const missed: string[] = [];
  for (const planted of PLANTED) {
    const text = await isNamed(installation, planted);
    if (text !== undefined) missed.push(`${planted.what}:\n${text}`);
  }
  t.diagnostic(`${PLANTED.length - missed.length} of ${PLANTED.length} named`);
  assert.ok(missed.length <= 2, missed.join("\n\n"));
  assert.deepEqual(await installation.findings(), [], "nothing is left of them");
});

test("doctor ends with 0 without a mistake and with 1 with one, prints a line for each check, and no secret", async () => {
  await using installation = await sound();
  const { the } = installation;
  const fine = await leadgate(the, ["doctor"]);
  assert.deepEqual([fine.code, fine.err], [0, ""], fine.out);
  for (const check of ["settings", "service", "AUTH_URL", "database", "connections", "backups", "mail"])
    assert.match(fine.out, new RegExp(`^ok {7}${check}: .+$`, "m"));
  assert.match(fine.out, /^0 mistakes, 0 warnings$/m);
  const password = "secret-of-the-database";
  const broken = new URL(the.databaseUrl);
  broken.password = password;
  broken.port = String(await freePort());
  const env = { ...the.env, DATABASE_URL: broken.href, SECRET_KEY: "key-of-nobody" };
  const wrong = await leadgate({ ...the, env }, ["doctor", "--json"]);
  assert.equal(wrong.code, 1, wrong.err);
  const { mistakes, findings } = JSON.parse(wrong.out) as Examined;
  assert.ok(mistakes >= 2);
  assert.ok(findings.some(({ check, advice }) => check === "database" && advice !== null));
  assert.doesNotMatch(`${wrong.out}${wrong.err}`, new RegExp(`${password}|key-of-nobody`));
});

test("the running instance performs the doctor with its own secrets, and examines a setting that the command is given instead of its own", async (t) => {
  await using the = await world();
  const dataDir = mkdtempSync(join(tmpdir(), "leadgate-doctor-"));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const files = Object.entries({ DATABASE_URL: the.databaseUrl, SECRET_KEY: the.env.SECRET_KEY }).map(
    ([name, secret]) => {
      writeFileSync(join(dataDir, name), secret ?? "");
      return { [name]: undefined, [`${name}_FILE`]: join(dataDir, name) };
    },
  );
  const running = await instance(the, "all", Object.assign({ DATA_DIR: dataDir }, ...files));
  const examined = async (env: Record<string, string>) => {
    const given = { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, ...env };
    const { out, err, code } = await ran(["doctor", "--json"], { env: given, input: "" });
    assert.doesNotMatch(out + err, /secret-of-mail/);
    const { findings } = JSON.parse(out) as Examined;
    return {
      code,
      of: (...checks: string[]) =>
        findings
          .filter(({ check }) => checks.includes(check))
          .map(({ found, result }) => `${result} ${found}`),
    };
  };
  const sound = ["settings", "service", "AUTH_URL", "database", "secret key"];
  const own = await examined({});
  assert.deepEqual(
    own.of(...sound).filter((found) => !found.startsWith("ok ")),
    [],
  );
  assert.match(own.of("AUTH_URL").join(), /without a proxy/);
  const nobody = `smtp://mailer:secret-of-mail@127.0.0.1:${await freePort()}`;
  writeFileSync(join(dataDir, "mail"), nobody);
  const changed = await examined({ SMTP_URL_FILE: join(dataDir, "mail"), LIMITS: '{"calls":1}' });
  assert.equal(changed.code, 1);
  assert.match(changed.of("settings").join("\n"), /^mistake LIMITS has the unknown key "calls"/);
  assert.match(changed.of("settings").join("\n"), /^warning LIMITS, SMTP_URL: the running instance has/m);
  assert.match(changed.of("mail").join(), /^mistake The mail server does not answer/);
  assert.equal(await running.end("SIGTERM"), 0);
  const ended = await examined({});
  assert.match(ended.of("service").join(), /^mistake Nothing answers/);
  assert.match(
    ended.of("database").join(),
    /has no database: .* unless the service has a DATABASE_URL, which is not given here/,
  );
});

test("doctor names a clock that is wrong", { skip: lacksFaketime() }, async () => {
  await using installation = await sound();
  const { the } = installation;
  const wrong = { LD_PRELOAD: FAKETIME ?? "", FAKETIME: "-90s", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  const { out } = await leadgate({ ...the, env: { ...the.env, ...wrong } }, ["doctor"]);
  assert.match(
    out,
    /^MISTAKE {2}clock: The clock of this machine is (89|90|91) seconds behind the database's/m,
  );
});

test("nobody without the secret key learns from /readyz what the service sees of a request", async () => {
  await using installation = await sound();
  const { baseUrl } = installation.the;
  for (const question of ["", "x", "A".repeat(200)]) {
    const answer = await fetch(`${baseUrl}/readyz`, { headers: { "X-Leadgate-Doctor": question } });
    assert.deepEqual([answer.status, await answer.json()], [200, { status: "ok" }]);
  }
});
