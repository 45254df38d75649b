import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Follower } from "../../src/db/backup/store/follower.ts";
import { Store } from "../../src/db/backup/store/store.ts";
import { KEYS, refuse, type S3Server, s3Server, noS3 as skip } from "./support/s3-server.ts";
import { until } from "./support/served.ts";

let server: Promise<S3Server> | undefined;
const local = mkdtempSync(join(tmpdir(), "leadgate-follower-"));
after(async () => {
  rmSync(local, { recursive: true });
  await (await server)?.stop();
});

const PATIENCE = { againMs: 50, partAgainMs: 50, idleMs: 10_000, firstPauseMs: 1, longestPauseMs: 5 };
const PACE = { lookMs: 10, firstPauseMs: 5, longestPauseMs: 20 };

/** A folder of backups, and followers of it that send to a prefix of the test's own. */
async function following(t: TestContext, name: string) {
  server ??= s3Server();
  const the = await server;
  the.asked = [];
  the.fault = () => undefined;
  const folder = join(local, name);
  mkdirSync(folder);
  const said: string[] = [];
  const log = {
    info: (message: string) => said.push(message),
    warn: (_: object, message: string) => said.push(message),
  };
  const start = (options: { store?: Store } = {}) => {
    const store = new Store({ ...the.address, prefix: name }, KEYS, { patience: PATIENCE });
    const isComplete = (path: string) => !/\.partial($|\/)/.test(path) && !path.endsWith(".new");
    const isLast = (path: string) => path.endsWith("/backup.json");
    const follower = new Follower({ store, folder, isComplete, isLast, log, pace: PACE, ...options });
    t.after(() => follower.stop());
    return follower;
  };
  /** Writes a file that was complete so many seconds ago. */
  const write = (path: string, { text = path, ago = 0 }: { text?: string; ago?: number } = {}) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    const at = new Date(Date.now() - ago * 1_000);
    utimesSync(join(folder, path), at, at);
  };
  const caughtUp = (follower: Follower) =>
    until(() => follower.figures().waiting?.files === 0, "everything to be sent");
  const sent = () =>
    the.asked.filter(({ method }) => method === "PUT").map(({ url }) => url.split(`/${name}/`)[1]);
  return { the, folder, said, start, write, caughtUp, sent };
}

test("finished segments go to the store in their order, and of a backup its description last", {
  skip,
}, async (t) => {
  const { folder, start, write, caughtUp, sent, the } = await following(t, "order");
  write("log-1f/0000A2.zst", { ago: 10 });
  write("log-1f/0000A1.zst", { ago: 20 });
  write("log-1f/0000A3.partial");
  write("leadgate-1.partial/backup.json", { ago: 30 });
  write("leadgate-1.partial/base.tar.zst", { ago: 30 });
  write("leadgate-1.partial/log/0000A0.zst", { ago: 5 });
  const follower = start();
  await caughtUp(follower);
  assert.deepEqual(sent(), ["log-1f/0000A1.zst", "log-1f/0000A2.zst"]);
  renameSync(join(folder, "leadgate-1.partial"), join(folder, "leadgate-1"));
  renameSync(join(folder, "log-1f/0000A3.partial"), join(folder, "log-1f/0000A3.zst"));
  follower.look();
  await until(() => sent().length === 6, "the rest to be sent");
  const backup = sent().filter((path) => path?.startsWith("leadgate-1/"));
  assert.deepEqual(
    backup,
    ["base.tar.zst", "log/0000A0.zst", "backup.json"].map((path) => `leadgate-1/${path}`),
  );
  await until(() => follower.isStored("leadgate-1/backup.json"), "the last to arrive");
  assert.ok(existsSync(join(the.folder, "order/log-1f/0000A3.zst._S3rver_object")));
  assert.ok(!follower.isStored("log-1f/0000A4.zst"));
});

test("while the store is away nothing counts as stored, the delay grows, and afterwards everything arrives once", {
  skip,
}, async (t) => {
  const { the, said, start, write, caughtUp, sent } = await following(t, "away");
  const follower = start();
  await caughtUp(follower);
  assert.equal(follower.figures().greatestDelayMs, undefined);
  the.fault = () => ({ answer: (response) => refuse(response, 503, "ServiceUnavailable") });
  for (let n = 1; n <= 5; n += 1) write(`log-1f/0000A${n}.zst`, { ago: 3_600 - n });
  await until(() => follower.figures().failing !== undefined, "the failure");
  const { waiting, greatestDelayMs, failing } = follower.figures();
  assert.deepEqual(waiting, { files: 5, bytes: 85 });
  assert.ok((greatestDelayMs ?? 0) >= 3_599_000 && (greatestDelayMs ?? 0) < 3_700_000);
  assert.match(failing?.reason ?? "", /503 ServiceUnavailable/);
  await sleep(200);
  assert.ok(!follower.isStored("log-1f/0000A1.zst"));
  the.asked = [];
  the.fault = () => undefined;
  await caughtUp(follower);
  assert.deepEqual(
    sent(),
    [1, 2, 3, 4, 5].map((n) => `log-1f/0000A${n}.zst`),
  );
  assert.ok(follower.isStored("log-1f/0000A5.zst"));
  const figures = follower.figures();
  assert.ok((figures.greatestDelayMs ?? 0) >= 3_599_000, "the delay of what arrived late");
  assert.equal(figures.failing, undefined);
  assert.deepEqual(said, [
    "the store does not take backups at the moment; it will be tried again",
    "the store takes backups again",
  ]);
  write("log-1f/0000A6.zst");
  await until(() => follower.isStored("log-1f/0000A6.zst"), "the next one");
});

test("a store that is away when the service starts is listed when it is back; what it has is not sent again", {
  skip,
}, async (t) => {
  const { the, folder, start, write, caughtUp, sent } = await following(t, "restart");
  for (let n = 1; n <= 3; n += 1) write(`log-1f/0000A${n}.zst`, { ago: 10 - n });
  const first = start();
  await caughtUp(first);
  await first.stop();
  write("log-1f/0000A2.zst", { text: "another length", ago: 8 });
  write("log-1f/0000A4.zst");
  the.fault = () => ({ answer: (response) => void response.destroy() });
  the.asked = [];
  const second = start();
  await until(() => second.figures().failing !== undefined, "the failure");
  assert.equal(second.figures().waiting, undefined);
  assert.ok(!second.isStored("log-1f/0000A1.zst"));
  the.fault = () => undefined;
  await caughtUp(second);
  assert.deepEqual(sent(), ["log-1f/0000A2.zst", "log-1f/0000A4.zst"]);
  assert.ok(second.isStored("log-1f/0000A1.zst"));
  assert.deepEqual(readdirSync(join(folder, "log-1f")).length, 4, "the follower removes nothing");
});

test("a segment does not wait for a large backup that is on its way, and stopping gives that up", {
  skip,
}, async (t) => {
  const { the, start, write } = await following(t, "lanes");
  the.fault = ({ url }) => (url.endsWith("base.tar.zst") ? { answer: () => undefined } : undefined);
  write("leadgate-1/base.tar.zst", { ago: 60 });
  write("leadgate-1/backup.json", { ago: 50 });
  const follower = start();
  await until(() => the.asked.some(({ url }) => url.endsWith("base.tar.zst")), "the backup");
  write("log-1f/0000A1.zst");
  await until(() => follower.isStored("log-1f/0000A1.zst"), "the segment");
  assert.deepEqual(follower.figures().waiting, { files: 2, bytes: 45 });
  const before = performance.now();
  await follower.stop();
  assert.ok(performance.now() - before < 5_000);
  assert.ok(!follower.isStored("leadgate-1/backup.json"));
});
