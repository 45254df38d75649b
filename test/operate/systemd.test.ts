import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { parseEnv, promisify } from "node:util";
import { readConfig } from "../../src/config/config.ts";
import { SECRETS } from "../../src/config/read-secret-files.ts";
import { performing } from "../cli/support/answering.ts";
import { large } from "../large.ts";
import { blocksOf } from "./support/blocks.ts";
import { placed } from "./support/proxies.ts";
import { noSystemd } from "./support/system-calls.ts";

const UNIT = "deploy/systemd/leadgate.service";
const ON_PATH = "deploy/systemd/leadgate.sh";
const [install, settings, command, secrets, unit, checks, ...more] = blocksOf("systemd.md");

test("systemd.md: the unit of deploy/ stands on the page, and every block is run by a test of this file", () => {
  assert.equal(unit?.text, readFileSync(UNIT, "utf8"));
  assert.deepEqual(more, []);
});

test("systemd.md: the settings and the secrets of the page are those of the service", () => {
  const env = parseEnv(settings?.text ?? "") as Record<string, string>;
  const { authUrl, baseUrl, authPort, apiPort, trustedProxies } = readConfig(env);
  assert.deepEqual([authUrl, baseUrl, authPort, apiPort], [env.AUTH_URL, env.BASE_URL, 3000, 3001]);
  assert.deepEqual(trustedProxies, ["127.0.0.1", "::1"]);
  const named = [...(secrets?.text ?? "").matchAll(/Environment=(\w+)_FILE=%d\/(\S+)/g)];
  assert.equal(named.length, 2);
  for (const [, name = "", file] of named) {
    assert.ok((SECRETS as readonly string[]).includes(name), name);
    assert.match(secrets?.text ?? "", new RegExp(`LoadCredential=${file}:/etc/leadgate/${file}\n`));
  }
});

test("leadgate on the PATH: the service performs the page's command; while it is stopped, its settings are used", async () => {
  await using performer = await performing();
  const { the, dataDir } = performer;
  const folder = dirname(dataDir);
  const file = join(folder, "leadgate");
  const settingsFile = join(folder, "leadgate.env");
  const paths = {
    "/usr/lib/leadgate/": `${process.cwd()}/`,
    "/var/lib/leadgate": dataDir,
    "/etc/leadgate/leadgate.env": settingsFile,
  };
  writeFileSync(file, placed(readFileSync(ON_PATH, "utf8"), paths), { mode: 0o755 });
  const run = (script: string) =>
    promisify(execFile)("sh", ["-c", script], { env: { PATH: `${folder}:/usr/bin:/bin` } }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
  const { stdout, stderr } = await run(placed(command?.text ?? "", { "ada@example.org": the.person.email }));
  assert.match(stdout, /^id: prj_/, stderr);
  await performer.answering.stop(0);
  writeFileSync(settingsFile, "AUTH_PORT=1\nAPI_PORT=2\n");
  assert.match(
    (await run("leadgate health")).stderr,
    /^leadgate: http:\/\/127\.0\.0\.1:1\/readyz does not answer/,
  );
});

large(
  "systemd accepts the unit and the page's secrets without a complaint, and rates its exposure at 3 or less",
  {
    skip: noSystemd,
  },
  (t) => {
    const root = mkdtempSync(join(tmpdir(), "leadgate-systemd-"));
    try {
      const app = join(root, "usr/lib/leadgate");
      const bin = "usr/lib/leadgate/node_modules/.bin";
      for (const folder of ["etc/systemd/system", "usr/lib/sysusers.d", "usr/local/bin", bin])
        mkdirSync(join(root, folder), { recursive: true });
      copyFileSync("/bin/true", join(app, "node_modules/.bin/node"));
      cpSync("deploy", join(app, "deploy"), { recursive: true });
      const system = ["/lib/systemd/system", "/usr/lib/systemd/system"].find(existsSync) ?? "";
      mkdirSync(dirname(join(root, system)), { recursive: true });
      cpSync(system, join(root, system), { recursive: true, verbatimSymlinks: true });
      const script = placed(install?.text ?? "", {
        ...{
          " /etc/": ` ${root}/etc/`,
          " /usr/lib/": ` ${root}/usr/lib/`,
          " /usr/local/": ` ${root}/usr/local/`,
        },
        "systemd-sysusers": `systemd-sysusers --root=${root}`,
      });
      execFileSync("sh", ["-ec", script], { cwd: app, stdio: "pipe" });
      assert.match(readFileSync(join(root, "etc/passwd"), "utf8"), /^leadgate:/m);
      assert.equal(statSync(join(root, "usr/local/bin/leadgate")).mode & 0o777, 0o755);
      const [security = "", verify = ""] = (checks?.text ?? "").trim().split("\n");
      const verified = () => {
        const script = placed(verify, { "systemd-analyze verify": `systemd-analyze verify --root=${root}` });
        const { status, stdout, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
        return [status, stdout + stderr];
      };
      assert.deepEqual(verified(), [0, ""]);
      const more = join(root, "etc/systemd/system/leadgate.service.d");
      mkdirSync(more);
      writeFileSync(join(more, "secrets.conf"), secrets?.text ?? "");
      assert.deepEqual(verified(), [0, ""]);
      writeFileSync(join(more, "wrong.conf"), "[Service]\nTimeoutStopSecs=1\n");
      assert.match(String(verified()[1]), /TimeoutStopSecs/);
      const rated = placed(security, { "/etc/systemd/system": join(root, "etc/systemd/system") });
      const { stdout } = spawnSync("sh", ["-c", rated], { encoding: "utf8" });
      const exposure = Number(/Overall exposure level for leadgate\.service: ([\d.]+)/.exec(stdout)?.[1]);
      t.diagnostic(`exposure ${exposure}`);
      assert.ok(exposure <= 3, String(exposure));
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);
