import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readPostmasterFile } from "../../src/db/embedded/host/postmaster-file.ts";
import { readPasswords } from "../../src/db/embedded/server/passwords.ts";
import { ask, dataFolder } from "../embedded/support/rig.ts";
import { large } from "../large.ts";
import { freePort } from "../world.ts";
import { fill, noSmallDisk, onSmallDisk, seenBy } from "./support/small-disk.ts";

/** Starts the service with everything that it stores, its embedded database too, on a small disk. */
async function onFullDisk(t: TestContext): Promise<{ authUrl: string; disk: string }> {
  const folder = dataFolder(t);
  const authUrl = `http://localhost:${await freePort()}`;
  const [file = "", ...args] = [...onSmallDisk(folder, 160), process.execPath, "src/main.ts", "serve"];
  const child = spawn(file, args, {
    env: {
      PATH: process.env.PATH ?? "",
      DATA_DIR: folder,
      AUTH_URL: authUrl,
      BASE_URL: `http://localhost:${await freePort()}`,
      LOG_LEVEL: "fatal",
      LIMITS: '{"registration":null,"token":null}',
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const out of [child.stdout, child.stderr])
    out.on("data", (data: Buffer) => {
      printed += data.toString();
    });
  t.after(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  const ready = () =>
    fetch(`${authUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error(`the service ended: ${printed}`);
    await sleep(50);
  }
  return { authUrl, disk: seenBy(child.pid ?? 0, folder) };
}

large(
  "the embedded database survives a disk that is full for its log, too, and comes back by itself once there is space",
  {
    skip: noSmallDisk,
  },
  async (t) => {
    const the = await onFullDisk(t);
    const acknowledged: string[] = [];
    const register = async (): Promise<number> => {
      const answer = await fetch(`${the.authUrl}/api/oauth/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["https://app.example/back"] }),
      });
      const { client_id } = (await answer.json()) as { client_id?: string };
      if (client_id !== undefined) acknowledged.push(client_id);
      return answer.status;
    };
    const why = async () => {
      const { reason } = (await (await fetch(`${the.authUrl}/readyz`)).json()) as { reason?: string };
      return reason;
    };
    for (let n = 0; n < 10; n += 1) assert.equal(await register(), 201);
    const free = fill(the.disk);
    while ((await fetch(`${the.authUrl}/readyz`)).status !== 503) await register();
    // The log needs another file, for which there is no space: PostgreSQL ends at once and cannot recover.
    const url = await superuserOf(the.disk);
    const fillLog = "SELECT pg_logical_emit_message(true, 'test', repeat('x', 1000000))";
    while ((await why()) !== "the database does not answer") await ask(url, fillLog).catch(() => undefined);
    for (let n = 0; n < 30; n += 1) {
      assert.equal(await register(), 503);
      assert.equal((await fetch(`${the.authUrl}/livez`)).status, 200);
      await sleep(100);
    }
    assert.equal(await why(), "the database does not answer");
    free();
    while ((await fetch(`${the.authUrl}/readyz`)).status !== 200) await sleep(50);
    assert.equal(await register(), 201);
    for (const id of acknowledged) {
      const fields = { grant_type: "refresh_token", refresh_token: "none", client_id: id };
      const answer = await fetch(`${the.authUrl}/api/oauth/token`, {
        method: "POST",
        body: new URLSearchParams(fields),
      });
      assert.equal(((await answer.json()) as { error: string }).error, "invalid_grant", "it is known");
    }
  },
);

/** The superuser's URL of the embedded database. */
async function superuserOf(dataDir: string): Promise<string> {
  const { port } = readPostmasterFile(join(dataDir, "postgres")) ?? { port: 0 };
  const { postgres } = await readPasswords(dataDir, { create: false });
  return `postgres://postgres:${postgres}@127.0.0.1:${port}/leadgate`;
}
