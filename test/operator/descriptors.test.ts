import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { resetAtLimit } from "../../src/http/admission/few-descriptors.ts";
import { large } from "../large.ts";
import { notLinux } from "../programs.ts";
import { freshDatabase } from "../template.ts";
import { freePort } from "../world.ts";
import { scrape, sum } from "./support/scrape.ts";

/** Less than the listeners and as many connections need. */
const LIMIT = 400;

/** Opens so many connections; returns those that stay open, and how many were reset or closed. */
async function flood(port: number, count: number): Promise<{ open: Socket[]; reset: number }> {
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  const ends = sockets.map(async (socket) => {
    const { promise: isOpen, resolve } = Promise.withResolvers<boolean>();
    socket.on("error", () => undefined);
    socket.once("data", () => resolve(true)).once("close", () => resolve(false));
    socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return await isOpen;
  });
  const isOpen = await Promise.all(ends);
  const open = sockets.filter((_, n) => isOpen[n]);
  return { open, reset: count - open.length };
}

test("a listener resets connections near the limit of file descriptors, says how many, and takes others when some have ended", {
  skip: notLinux,
}, async () => {
  const told: object[] = [];
  const server = createServer((_request, response) => response.end("ok"));
  const most = readdirSync("/proc/self/fd").length + 40;
  resetAtLimit(server, { most, log: { warn: (what: object) => void told.push(what) } });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const { open, reset } = await flood(port, 60);
  assert.ok(reset > 0 && open.length > 0, `${open.length} and ${reset}`);
  assert.deepEqual(told, [{ reset: 1, descriptors: most }], "a line at once, and none for ten seconds");
  for (const socket of open) socket.destroy();
  while ((await flood(port, 1)).reset > 0) await sleep(20);
  server.close();
  server.closeAllConnections();
});

large(
  "connections are reset near the limit of file descriptors, counted and logged, while the others and the database are served",
  {
    skip: notLinux,
  },
  async (t) => {
    const database = await freshDatabase();
    const [auth, api] = [await freePort(), await freePort()];
    const child = spawn("sh", ["-c", `ulimit -n ${LIMIT} && exec "$0" src/main.ts serve`, process.execPath], {
      env: {
        ...{ PATH: process.env.PATH ?? "", DATABASE_URL: database.url, ACCESS_LOG: "off" },
        ...{ AUTH_URL: `http://localhost:${auth}`, BASE_URL: `http://localhost:${api}` },
        SECRET_KEY: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    t.after(() => void child.kill("SIGKILL"));
    let log = "";
    child.stderr.on("data", (data: Buffer) => {
      log += data.toString();
    });
    const url = `http://127.0.0.1:${api}`;
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
      assert.equal(child.exitCode, null, log);
      await sleep(50);
    }
    const { open, reset } = await flood(api, LIMIT);
    assert.ok(reset > 0 && open.length > 0, `${open.length} and ${reset}`);
    const told = () => log.split("\n").find((each) => each.includes("connections are reset"));
    const until = performance.now() + 10_000;
    while (told() === undefined && performance.now() < until) await sleep(20);
    assert.equal((JSON.parse(told() ?? "{}") as { descriptors?: number }).descriptors, LIMIT, log);
    // A connection that is open already reaches the database.
    const [first] = open;
    first?.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [answer] = (await once(first as Socket, "data")) as [Buffer];
    assert.match(String(answer), /^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}$/);
    for (const socket of open) socket.destroy();
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) await sleep(50);
    assert.ok(sum(await scrape(url), "leadgate_sockets_reset_total ") >= reset);
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "close"), [0, null], log);
    await database.drop();
  },
);
