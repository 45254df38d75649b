import { setTimeout as sleep } from "node:timers/promises";
import { writer } from "../api/support/writing.ts";
import { cableTo } from "../cable.ts";
import { uploaded } from "../imports/support/uploading.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { noRedis, ownRedis } from "../limits/support/redis.ts";
import { slowWrites } from "../slow-writes.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { stopped } from "./support/stopping.ts";

const through = (the: World, env: Record<string, string>): World => ({ ...the, env: { ...the.env, ...env } });

/** Calls that never get an answer, or one that nobody waits for. */
function callsTo(baseUrl: string, the: World, key: KeyActor): void {
  const body = JSON.stringify({ project_id: the.project.id });
  const headers = { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" };
  for (let i = 0; i < 20; i += 1)
    fetch(`${baseUrl}/api/leads/query/`, { method: "POST", headers, body }).catch(() => undefined);
}

large(
  "SIGTERM ends a process in time although its connections to PostgreSQL pass no byte, with calls in flight",
  async () => {
    await using the = await world({ env: { ROLE: "api" } });
    await using cable = await cableTo(the.databaseUrl);
    const key = await the.key();
    const one = await instance(through(the, { DATABASE_URL: cable.url }), "all");
    cable.silence();
    callsTo(one.baseUrl, the, key);
    await sleep(300);
    await stopped(one);
  },
);

large("SIGTERM ends a worker in time although the network fails in the middle of an import", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  await using cable = await cableTo(the.databaseUrl);
  const key = await writer(the);
  const lines = Array.from({ length: 20_000 }, (_, i) => `p${i},p${i}@example.org`);
  const { id } = await uploaded(the, key, ["name,email", ...lines].join("\n"));
  await slowWrites(the, "lead");
  await key.send("POST", `/api/v1/imports/${id}/commit`);
  const one = await instance(through(the, { DATABASE_URL: cable.url }), "worker");
  const stored = async () => (await the.sql("SELECT FROM store.lead LIMIT 1")).length;
  while ((await stored()) === 0) await sleep(20);
  cable.silence();
  await sleep(300);
  await stopped(one);
});

large("SIGTERM ends a process in time although Redis hangs", { skip: noRedis }, async () => {
  await using redis = await ownRedis();
  await using the = await world({ env: { ROLE: "api" } });
  const key = await the.key();
  const one = await instance(through(the, { REDIS_URL: redis.url }), "all");
  redis.hang();
  callsTo(one.baseUrl, the, key);
  await sleep(100);
  await stopped(one);
});
