import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { bodyOf } from "../api/support/v1.ts";
import { large } from "../large.ts";
import { freePort } from "../world.ts";
import { dataFolder } from "./support/rig.ts";

large("an installation with nothing but its data folder makes exports in the background", async (t) => {
  const baseUrl = `http://localhost:${await freePort()}`;
  const env = {
    PATH: process.env.PATH ?? "",
    DATA_DIR: dataFolder(t),
    AUTH_URL: `http://localhost:${await freePort()}`,
    BASE_URL: baseUrl,
    LOG_LEVEL: "fatal",
  };
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  t.after(() => void child.kill("SIGKILL"));
  const command = async (words: string[], input = "") => {
    const running = promisify(execFile)(process.execPath, ["src/main.ts", ...words, "--json"], { env });
    running.child.stdin?.end(input);
    return JSON.parse((await running).stdout) as Record<string, string>;
  };
  const ready = () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await ready())) {
    assert.equal(child.exitCode, null, "the service ended before it was ready");
    await sleep(50);
  }
  const email = "owner@example.org";
  await command(
    ["person", "create", "--email", email, "--name", "Owner", "--password-stdin"],
    "a long enough one\n",
  );
  const { id: project = "" } = await command(["project", "create", "--name", "Own", "--owner", email]);
  const permissions = "leads:read,leads:write";
  const { key } = await command([
    ...["key", "create", "--project", project, "--name", "k", "--permissions", permissions],
  ]);
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const send = (method: string, path: string, body?: object) =>
    fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  await bodyOf(await send("POST", "/leads", { name: "Ada" }), 201);
  const { id } = await bodyOf<{ id: string }>(await send("POST", "/exports", { columns: ["name"] }), 202);
  for (let state = "waiting"; state !== "done"; await sleep(50)) {
    ({ state } = await bodyOf<{ state: string }>(await send("GET", `/exports/${id}`)));
    assert.ok(["waiting", "running", "done"].includes(state), state);
  }
  assert.equal(await (await send("GET", `/exports/${id}/file`)).text(), "name\nAda\n");
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});
