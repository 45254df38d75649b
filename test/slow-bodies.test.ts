import { connect } from "node:net";
import { test } from "node:test";
import { world } from "./world.ts";

test("a body that drips is ended after fifteen seconds, whatever the method, and whether or not anybody reads it", async () => {
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
});

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
