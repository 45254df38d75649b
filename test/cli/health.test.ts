import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { health } from "../../src/cli/health.ts";
import { ownTerminal } from "../../src/cli/instance/terminal.ts";
import { readConfig } from "../../src/config/config.ts";
import { examineSettings } from "../../src/config/examine.ts";
import { type Instance, instance } from "../instance.ts";
import { large } from "../large.ts";
import { freePort, type World, world } from "../world.ts";
import { leadgate } from "./support/leadgate.ts";

/** Asks for the health of an instance with the settings that it was started with. */
const healthOf = (the: World, { authUrl, baseUrl }: Instance, role: string) =>
  leadgate({ ...the, env: { ...the.env, AUTH_URL: authUrl, BASE_URL: baseUrl, ROLE: role } }, ["health"]);

test("health ends with 0 while every listener of the instance is ready, and says which one is not", async () => {
  await using the = await world();
  const ready = await leadgate(the, ["health"]);
  assert.deepEqual([ready.code, ready.out, ready.err], [0, "status: ok\n", ""]);
  const port = await freePort();
  const absent = await leadgate({ ...the, env: { ...the.env, API_PORT: String(port) } }, ["health"]);
  assert.equal(absent.code, 1);
  assert.match(absent.err, new RegExp(`^leadgate: http://127\\.0\\.0\\.1:${port}/readyz does not answer\n`));
  // the web host alone is asked, so an absent API host does not matter
  const web = await leadgate({ ...the, env: { ...the.env, API_PORT: String(port), ROLE: "web" } }, [
    "health",
  ]);
  assert.equal(web.code, 0, web.err);
  const anywhere = await leadgate({ ...the, env: { ...the.env, HOST: "0.0.0.0" } }, ["health"]);
  assert.equal(anywhere.code, 0, anywhere.err);
});

large("health ends with 1 while an instance drains, and knows a worker by its port", async () => {
  await using the = await world({ env: { DRAIN_SECONDS: "5" } });
  const [one, worker] = await Promise.all([instance(the, "all"), instance(the, "worker")]);
  assert.equal((await healthOf(the, worker, "worker")).code, 0);
  const ended = one.end("SIGTERM");
  while ((await fetch(`${one.baseUrl}/readyz`)).ok) await sleep(20);
  // In this process: on a busy machine, the command line starts later than an instance stops.
  const config = readConfig({ ...the.env, AUTH_URL: one.authUrl, BASE_URL: one.baseUrl });
  const asked = health.run({
    ...{ config, options: {}, terminal: ownTerminal, databaseUrl: undefined, examined: examineSettings() },
    service: async () => the.service,
  });
  await assert.rejects(asked, /\/readyz answers 503: the service is stopping/);
  assert.deepEqual([await ended, await worker.end("SIGTERM")], [0, 0]);
});
