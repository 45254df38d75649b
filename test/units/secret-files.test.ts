import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Config, readConfig } from "../../src/config/config.ts";
import { SECRETS, withSecretFiles } from "../../src/config/read-secret-files.ts";

const folder = mkdtempSync(join(tmpdir(), "leadgate-secrets-"));
after(() => rmSync(folder, { recursive: true }));

/** Returns the path of a new file with this text. */
function file(text: string | Buffer): string {
  const path = join(folder, Math.random().toString(36).slice(2));
  writeFileSync(path, text);
  return path;
}

const KEY = "0123456789abcdef0123456789abcdef";
const POSTGRES = "postgres://leadgate:pa%20ss@db/leadgate";

test("each secret can be read from the file that NAME_FILE names, without the newline at its end", () => {
  const settings: [string, string, (config: Config) => unknown, unknown][] = [
    ["SECRET_KEY", `new${KEY},old${KEY}`, (c) => c.secretKeys, [`new${KEY}`, `old${KEY}`]],
    ["DATABASE_URL", POSTGRES, (c) => c.databaseUrl, POSTGRES],
    ["REDIS_URL", "redis://:pw@cache:6379/0", (c) => c.redisUrl, "redis://:pw@cache:6379/0"],
    ["SMTP_URL", "smtp://u:p@mail:587", (c) => c.smtpUrl, "smtp://u:p@mail:587"],
    ["BACKUP_PASSPHRASE", "a long phrase", (c) => c.backupPassphrase, "a long phrase"],
    ["METRICS_TOKEN", " token with spaces ", (c) => c.metricsToken, " token with spaces "],
  ];
  for (const [name, value, read, expected] of settings) {
    for (const end of ["", "\n", "\r\n"]) {
      assert.deepEqual(read(readConfig({ [`${name}_FILE`]: file(value + end) })), expected, name);
    }
  }
  const direct = { DATABASE_URL: "postgres://pooler/x", DATABASE_DIRECT_URL_FILE: file(`${POSTGRES}\n`) };
  assert.equal(readConfig(direct).databaseDirectUrl, POSTGRES);
  for (const name of SECRETS)
    assert.equal(withSecretFiles({ [`${name}_FILE`]: file("x\n") })[name], "x", name);
});

test("a NAME_FILE that is empty is not set, and one next to an empty NAME is read", () => {
  assert.equal(readConfig({ SMTP_URL_FILE: "", SMTP_URL: "smtp://mail" }).smtpUrl, "smtp://mail");
  assert.equal(readConfig({ SMTP_URL_FILE: file("smtp://mail"), SMTP_URL: "" }).smtpUrl, "smtp://mail");
});

test("a secret file that makes no sense stops the start with a message that names the setting and never the content", () => {
  const content = "hush-hush";
  const missing = join(folder, "missing");
  for (const name of SECRETS) {
    const setting = `${name}_FILE`;
    const named = (path: string, why: string) =>
      [{ [setting]: path }, `${setting} names the file "${path}", which ${why}.`] as const;
    const both = { [setting]: file(content), [name]: content };
    for (const [env, message] of [
      [both, `${name} and ${setting} are both set; set one of them.`],
      named(missing, "cannot be read (ENOENT)"),
      named(folder, "cannot be read (EISDIR)"),
      named(file(""), "is empty"),
      named(file(" \n"), "is empty"),
      named(file(`${content}\nsecond line\n`), "must be one line of UTF-8 text"),
      named(file(`${content}\0`), "must be one line of UTF-8 text"),
      named(file(Buffer.from([0x68, 0xff])), "must be one line of UTF-8 text"),
    ] as const) {
      assert.throws(
        () => readConfig(env),
        (error: Error) => {
          assert.equal(error.message, message);
          assert.ok(!`${error.stack} ${error.cause}`.includes(content));
          return true;
        },
      );
    }
  }
});
