import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "./large.ts";
import { world } from "./world.ts";

large(
  "a body that drips is ended after fifteen seconds, whatever the method, and whether or not anybody reads it",
  async () => {
    await using the = await world();
    const key = await the.key(["leads:read"]);
    const length = "Content-Length: 5000";
    const chunked = "Transfer-Encoding: chunked";
    const form = "Content-Type: application/x-www-form-urlencoded";
    const dripping: [string, string][] = [
      [the.authUrl, `GET /livez HTTP/1.1\r\n${length}`],
      [the.baseUrl, `HEAD /livez HTTP/1.1\r\n${length}`],
      [the.authUrl, `GET /.well-known/oauth-authorization-server HTTP/1.1\r\n${chunked}`],
      [the.authUrl, `GET /oauth/authorize HTTP/1.1\r\n${length}`],
      [the.authUrl, `POST /api/oauth/token HTTP/1.1\r\n${form}\r\n${length}`],
      [the.authUrl, `POST /nothing HTTP/1.1\r\n${length}`],
      [the.baseUrl, `POST /api/v1/imports HTTP/1.1\r\nContent-Type: text/csv\r\n${length}`],
      [
        the.baseUrl,
        `POST /api/v1/imports HTTP/1.1\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: text/csv\r\n${length}`,
      ],
    ];
    await Promise.all(dripping.map(([host, head]) => ended(host, head)));
  },
);

large(
  "a body that arrives late but within fifteen seconds is read, and one that would take thirty is not waited for",
  async () => {
    await using the = await world();
    const head = (bytes: number) => `POST /nothing HTTP/1.1\r\nContent-Length: ${bytes}`;
    // Half a second a byte: five seconds for one, thirty for the other.
    const [late, never] = await Promise.all([drips(the.authUrl, head(10)), drips(the.authUrl, head(60))]);
    assert.match(late.answer, /^HTTP\/1\.1 404 /);
    assert.equal(late.sent, 10);
    assert.match(never.answer, /^HTTP\/1\.1 408 /);
    assert.ok(never.sent < 60, "the connection was closed before the body was complete");
  },
);

/** Sends a body byte by byte until it is complete or the connection ends; returns the answer and the bytes sent. */
async function drips(host: string, head: string): Promise<{ answer: string; sent: number }> {
  const { hostname, port } = new URL(host);
  const bytes = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  let answer = "";
  socket.on("data", (data: Buffer) => {
    answer += data.toString();
  });
  socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const closed = once(socket, "close").then(() => true);
  let sent = 0;
  while (sent < bytes && !(await Promise.race([closed, sleep(500, false)]))) {
    socket.write("x");
    sent += 1;
  }
  await closed;
  return { answer, sent };
}

/** Sends a body byte by byte until the connection is closed; otherwise the test's own time limit stops it. */
async function ended(host: string, head: string): Promise<void> {
  const { hostname, port } = new URL(host);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.resume();
  socket.write(`${head}\r\nHost: x\r\n\r\n`);
  const drip = setInterval(
    () => socket.writable && socket.write(/chunked/.test(head) ? "1\r\nx\r\n" : "x"),
    500,
  );
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(drip);
}
