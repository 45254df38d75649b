import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Permission } from "../../src/core/permission.ts";
import { COMPANIES } from "../datasets/support/dataset.ts";
import { large } from "../large.ts";
import { type KeyActor, type World, world } from "../world.ts";

const ALL: readonly Permission[] = [
  "leads:read",
  "leads:write",
  "datasets:read",
  "datasets:write",
  "datasets:import",
];
const LIMITS = { env: { LIMITS: '{"api": null, "datasetImports": null}' } };
const ROW = "domain.example,A company of some length\n";

/** Starts an upload on a raw socket, so that it can be broken off anywhere. */
function begin(the: World, key: KeyActor, path: string, headers: string): Socket {
  const { hostname, port } = new URL(the.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.text}\r\n${headers}\r\n\r\n`);
  return socket;
}

async function heard(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Waits until nothing of an upload is left. */
async function nothingLeft(the: World): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const [left] = await the.sql<{ n: number }>(
      "SELECT ((SELECT count(*) FROM store.import) + (SELECT count(*) FROM store.import_piece))::integer AS n",
    );
    if (left?.n === 0) return;
    assert.ok(tries < 1_200, `${left?.n} rows of uploads are left`);
    await sleep(50);
  }
}

const PATHS = ["/api/v1/imports", "/api/v1/imports?dataset=companies", "/api/datasets/companies/import/"];

large("a client that disconnects during an upload leaves nothing behind, and others are served", async () => {
  await using the = await world(LIMITS);
  const key = await the.key(ALL);
  await key.send("POST", "/api/v1/datasets", COMPANIES);
  for (const path of PATHS) {
    const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\ndomain,name\n${ROW}`;
    const ways: [string, string][] = [
      ["Content-Type: text/csv\r\nContent-Length: 5000000", `domain,name\n${ROW.repeat(50_000)}`],
      ["Content-Type: text/csv\r\nContent-Length: 1000", ""],
      ["Content-Type: text/csv\r\nTransfer-Encoding: chunked", "d\r\ndomain,name\na\r\nfff\r\nhalf a chunk"],
      ["Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000", form],
      ["Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000", "--b\r\nContent-Dis"],
    ];
    for (const [headers, part] of ways) {
      const sockets = Array.from({ length: 5 }, () => begin(the, key, path, headers));
      for (const socket of sockets) socket.write(part);
      await sleep(100);
      assert.equal((await key.query({})).status, 200, "others are served meanwhile");
      for (const [i, socket] of sockets.entries()) {
        if (i % 2 === 0) socket.resetAndDestroy();
        else socket.end();
      }
      await nothingLeft(the);
      for (const socket of sockets) socket.destroy();
    }
  }
  assert.equal((await fetch(`${the.baseUrl}/readyz`)).status, 200);
  const whole = begin(
    the,
    key,
    PATHS[2] ?? "",
    "Content-Type: text/csv\r\nContent-Length: 21\r\nConnection: close",
  );
  whole.write("domain,name\n");
  await sleep(200);
  whole.write("a.example\n".slice(0, 9));
  assert.match(await heard(whole), /^HTTP\/1.1 (202|4\d\d) /);
});

test("a refused upload is answered while its body is still being sent, and leaves nothing behind", async () => {
  await using the = await world(LIMITS);
  const key = await the.key(ALL);
  const reader = await the.key(["leads:read"]);
  await key.send("POST", "/api/v1/datasets", COMPANIES);
  const sheet = "Content-Type: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  const cases: [KeyActor, string, string, RegExp][] = [
    [reader, "/api/v1/imports", "Content-Type: text/csv", /^HTTP\/1.1 403 /],
    [key, "/api/datasets/none/import/", "Content-Type: text/csv", /^HTTP\/1.1 404 /],
    [key, "/api/v1/imports?colour=red", "Content-Type: text/csv", /^HTTP\/1.1 400 /],
    [key, "/api/v1/imports", "Content-Type: image/png", /^HTTP\/1.1 415 /],
    [key, "/api/v1/imports", sheet, /^HTTP\/1.1 413 /],
  ];
  const megabyte = Buffer.alloc(1_048_576, "a,b\n");
  for (const [who, path, type, answer] of cases) {
    for (const boundary of type.includes("image") ? [undefined] : [undefined, "b"]) {
      const part = `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n${type}\r\n\r\n`;
      const head = boundary === undefined ? type : "Content-Type: multipart/form-data; boundary=b";
      const socket = begin(the, who, path, `${head}\r\nContent-Length: 60000000`);
      if (boundary !== undefined) socket.write(part);
      // The announced length was sent, so the connection could be reused.
      let sent = 0;
      const more = () => {
        while (sent < 57 && !socket.destroyed) {
          sent += 1;
          if (!socket.write(megabyte)) return;
        }
      };
      socket.on("drain", more);
      more();
      const first = await new Promise<string>((resolve) => {
        socket.once("data", (data) => resolve(String(data)));
        socket.once("close", () => resolve("closed without an answer"));
      });
      assert.match(first, answer, `${path} ${head}`);
      socket.destroy();
      assert.equal((await key.query({})).status, 200);
      await nothingLeft(the);
    }
  }
});

large("an incomplete JSON body is closed after a while, and does not delay others", async () => {
  await using the = await world(LIMITS);
  const key = await the.key(ALL);
  const slow = begin(the, key, "/api/v1/leads", "Content-Type: application/json\r\nContent-Length: 100");
  slow.write('{"name":');
  const gone = begin(the, key, "/api/v1/leads", "Content-Type: application/json\r\nContent-Length: 100");
  gone.write('{"name":');
  gone.resetAndDestroy();
  for (let n = 0; n < 20; n += 1) assert.equal((await key.query({})).status, 200);
  assert.match(await heard(slow), /^HTTP\/1.1 408 /);
  assert.equal((await the.sql("SELECT FROM store.lead")).length, 0);
});
