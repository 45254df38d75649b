import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../large.ts";
import { freePort, type KeyActor, type World, world } from "../world.ts";
import { collector, everyTrace } from "./support/collector.ts";
import { type ReceivedSpan, skip } from "./support/decode-traces.ts";

const call = async (key: KeyActor): Promise<void> => {
  const answer = await key.send("GET", "/api/v1/fields");
  await answer.text();
  assert.equal(answer.status, 200);
};

const isCall = ({ name }: ReceivedSpan) => name === "GET /api/v1/fields";

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(20);
}

/** The value of a counter at the service's `/metrics`. */
async function counted(the: World, name: string): Promise<number> {
  const text = await (await fetch(`${the.baseUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

for (const protocol of ["http/protobuf", "http/json"])
  for (const compression of ["none", "gzip"])
    test(`traces are sent as ${protocol} with compression ${compression}`, { skip }, async () => {
      await using to = await collector();
      const settings = { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_EXPORTER_OTLP_COMPRESSION: compression };
      const resource = { OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test%20bed,team=a" };
      await using the = await world({ env: { ...everyTrace(to), ...settings, ...resource } });
      await call(await the.key());
      const spans = await to.traceWith(isCall);
      assert.ok(spans.some(({ kind }) => kind === 3));
      assert.equal(spans.find(isCall)?.attributes["http.response.status_code"], 200);
      const [received] = to.taken;
      assert.equal(
        received?.headers["content-type"],
        protocol === "http/json" ? "application/json" : "application/x-protobuf",
      );
      assert.equal(received?.headers["content-encoding"], compression === "gzip" ? "gzip" : undefined);
      const [traces] = to.traces();
      assert.equal(traces?.resource["deployment.environment.name"], "test bed");
      assert.equal(traces?.resource["service.name"], "leadgate");
    });

test("traces that a collector refuses for now are sent again, once", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: everyTrace(to) });
  to.manner = { status: 503, headers: { "Retry-After": "1" } };
  await call(await the.key());
  await until(() => to.asked > 0);
  to.manner = { status: 200 };
  const spans = await to.traceWith(isCall);
  assert.equal(spans.filter(isCall).length, 1);
});

test("traces are sent again after the collector was away", { skip }, async () => {
  const port = await freePort();
  await using the = await world({ env: everyTrace({ url: `http://127.0.0.1:${port}` }) });
  await call(await the.key());
  await sleep(300);
  await using to = await collector(port);
  await to.traceWith(isCall);
});

test("a batch that the collector finds wrong is dropped and counted", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: everyTrace(to) });
  const before = await counted(the, "leadgate_trace_spans_dropped_total");
  to.manner = { status: 400 };
  await call(await the.key());
  await until(async () => the.service.tracer !== undefined && the.service.tracer.figures.dropped > 0);
  to.manner = { status: 200 };
  await sleep(1_500);
  assert.ok(!to.spans().some(isCall), "it is not sent again");
  assert.ok(before >= 0, "the metric is there");
});

test("a silent collector delays no request, and what the queue has no room for is counted", {
  skip,
}, async () => {
  await using to = await collector();
  to.manner = "silent";
  const small = { OTEL_BSP_MAX_QUEUE_SIZE: "10", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "5" };
  await using the = await world({ env: { ...everyTrace(to), ...small } });
  const key = await the.key();
  for (let i = 0; i < 40; i += 1) await call(key);
  await until(() => to.asked > 0);
  assert.ok((the.service.tracer?.figures.dropped ?? 0) >= 50);
});

/** Starts the program on the world's database; returns its process, its log and its URL. */
async function program(the: World, env: Record<string, string>) {
  const [auth, api] = [await freePort(), await freePort()];
  const [authUrl, baseUrl] = [`http://localhost:${auth}`, `http://localhost:${api}`];
  const own = { ...the.env, ...env, AUTH_URL: authUrl, BASE_URL: baseUrl, LOG_LEVEL: "info" };
  const child: ChildProcess = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: { PATH: process.env.PATH ?? "", ...own },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const running = { child, baseUrl, log: "" };
  child.stderr?.on("data", (data: Buffer) => {
    running.log += data.toString();
  });
  const ready = () =>
    fetch(`${baseUrl}/readyz`)
      .then(({ ok }) => ok)
      .catch(() => false);
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error(running.log);
    await sleep(20);
  }
  return running;
}

large(
  "the last traces are sent when the process ends, and its log has the ids of exported ones",
  {
    skip,
  },
  async () => {
    await using to = await collector();
    await using the = await world();
    const key = await the.key();
    const running = await program(the, { ...everyTrace(to), OTEL_BSP_SCHEDULE_DELAY: "600000" });
    const headers = { Authorization: `Bearer ${key.text}` };
    await (await fetch(`${running.baseUrl}/api/v1/fields`, { headers })).text();
    assert.equal(to.asked, 0);
    const ended = once(running.child, "exit");
    running.child.kill("SIGTERM");
    assert.deepEqual(await ended, [0, null]);
    const root = to.spans().find(isCall);
    assert.ok(root !== undefined);
    assert.ok(running.log.includes(`"trace_id":"${root.traceId}"`), running.log);
  },
);

large("a process with a silent collector ends, and loses nothing but spans", { skip }, async () => {
  await using to = await collector();
  to.manner = "silent";
  await using the = await world();
  const key = await the.key();
  const running = await program(the, everyTrace(to));
  const headers = { Authorization: `Bearer ${key.text}` };
  await (await fetch(`${running.baseUrl}/api/v1/fields`, { headers })).text();
  await until(() => to.asked > 0);
  const ended = once(running.child, "exit");
  running.child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
  assert.match(running.log, /spans of traces were dropped/);
});

test("nothing is sent without a setting, or if the exporter is none", { skip }, async () => {
  await using to = await collector();
  await using the = await world({ env: { ...everyTrace(to), OTEL_TRACES_EXPORTER: "none" } });
  await call(await the.key());
  await sleep(300);
  assert.deepEqual([the.service.tracer, to.asked], [undefined, 0]);
});
