import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readLogs } from "../../src/config/read-logs.ts";
import { blocksOf } from "../operate/support/blocks.ts";
import { type Line, logging } from "./support/logging.ts";

const ENV = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: "C" };
const without =
  spawnSync("logrotate", ["--version"], { env: ENV }).error === undefined
    ? false
    : "logrotate is not installed";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const idsIn = (file: string): unknown[] =>
  !existsSync(file)
    ? []
    : readFileSync(file, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as Line).reqId);

async function asked(url: string): Promise<string> {
  const answer = await fetch(`${url}/sign-in`);
  await answer.text();
  return answer.headers.get("x-request-id") ?? "";
}

test("a file of the access log is reopened at SIGHUP, and no line is lost while requests go on", async (t) => {
  const folder = folderOf(t);
  const [file, old] = [join(folder, "access.log"), join(folder, "access.log.1")];
  await using log = await logging({ ACCESS_LOG: file });
  const url = log.the.authUrl;
  const ids = [await asked(url)];
  for (let turn = 0; turn < 30; turn += 1) {
    ids.push(...(await Promise.all([asked(url), asked(url), asked(url)])));
    if (turn === 10) renameSync(file, old);
    if (turn === 20) log.child.kill("SIGHUP");
  }
  const logged = () => [...idsIn(old), ...idsIn(file)];
  while (ids.some((id) => !logged().includes(id))) await sleep(20);
  assert.ok(idsIn(old).length > 30 && idsIn(file).length > 5, "both have lines");
  assert.equal(new Set(logged()).size, logged().length);
  assert.ok(!log.lines().some(({ msg }) => msg === "answered"), "they are not in the service's log");
});

test("logrotate rotates the access log with the file of the page", { skip: without }, async (t) => {
  const folder = folderOf(t);
  const file = join(folder, "access.log");
  await using log = await logging({ ACCESS_LOG: file });
  const before = await asked(log.the.authUrl);
  while (!idsIn(file).includes(before)) await sleep(20);
  const [block] = blocksOf("logs.md").filter(({ language }) => language === "logrotate");
  const config = join(folder, "logrotate.conf");
  const text = (block?.text ?? "")
    .replace("/var/log/leadgate/access.log", file)
    .replace("systemctl kill --signal=HUP --kill-whom=main leadgate", `kill -HUP ${log.child.pid}`);
  assert.ok(text.includes(file) && text.includes(`kill -HUP ${log.child.pid}`), text);
  writeFileSync(config, text, { mode: 0o644 });
  // An unsafe folder is one that others may write to.
  spawnSync("chmod", ["755", folder]);
  const run = spawnSync("logrotate", ["--force", "--state", join(folder, "state"), config], {
    env: ENV,
    encoding: "utf8",
  });
  assert.equal(run.status, 0, run.stderr);
  const rotated = readdirSync(folder).find((name) => /^access\.log[.-]/.test(name));
  assert.ok(rotated !== undefined, readdirSync(folder).join());
  while (!existsSync(file)) await sleep(20);
  const after = await asked(log.the.authUrl);
  while (!idsIn(file).includes(after)) await sleep(20);
  assert.ok(idsIn(join(folder, rotated)).includes(before));
});

test("a full disk loses lines of the access log, and no request", {
  skip: !existsSync("/dev/full") && "no /dev/full",
}, async () => {
  await using log = await logging({ ACCESS_LOG: "/dev/full" });
  for (let n = 0; n < 20; n += 1) assert.match(await asked(log.the.authUrl), /^req_/);
  const line = await log.line(({ level }) => level === 50);
  assert.match(String(line.msg), /the access log loses lines/);
  assert.equal(log.lines().filter(({ level }) => level === 50).length, 1, "it is said once");
  assert.match(await asked(log.the.authUrl), /^req_/);
});

test("a file that cannot be opened, and settings that make no sense, stop the start with a message", async () => {
  await assert.rejects(logging({ ACCESS_LOG: "/nowhere/access.log" }), /ACCESS_LOG cannot be opened: ENOENT/);
  const wrong: [env: Record<string, string>, message: RegExp][] = [
    [{ ACCESS_LOG: "yes" }, /ACCESS_LOG is "yes"; it must be on, off or the path of a file/],
    [{ SLOW_LOG_MS: "1s" }, /SLOW_LOG_MS is "1s"; it must be a whole number of milliseconds/],
    [{ SLOW_LOG_MS: "-1" }, /SLOW_LOG_MS is "-1"/],
    [{ SLOW_LOG_MS: "3600001" }, /SLOW_LOG_MS is "3600001"/],
    [{ SLOW_LOG_VALUES: "yes" }, /SLOW_LOG_VALUES is "yes"; it must be on or off/],
  ];
  for (const [env, message] of wrong) assert.throws(() => readLogs(env), message);
  assert.deepEqual(readLogs({}), { access: "log", slow: { ms: 1_000, values: false } });
  assert.deepEqual(readLogs({ ACCESS_LOG: "off", SLOW_LOG_MS: "0" }), { access: "off", slow: undefined });
});
