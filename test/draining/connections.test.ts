import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { writer } from "../api/support/writing.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { lockWaits } from "../lock-waits.ts";
import { world } from "../world.ts";
import { connection } from "./support/connection.ts";
import { stopped } from "./support/stopping.ts";

large(
  "SIGTERM closes connections that ask for nothing: idle ones, ones that sent nothing, ones that sent half a request",
  async () => {
    await using the = await world({ env: { ROLE: "api" } });
    const one = await instance(the, "all");
    const [idle, mute, half] = [
      await connection(one.baseUrl),
      await connection(one.authUrl),
      await connection(one.baseUrl),
    ];
    assert.match(await idle.ask("/livez"), /^http\/1\.1 200 /);
    half.socket.write("POST /api/leads/query/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    await stopped(one);
    await Promise.all([idle.closed, mute.closed, half.closed]);
  },
);

large("SIGTERM waits for requests in flight; their answers say that the connection closes", async () => {
  await using the = await world({ env: { ROLE: "api" } });
  const key = await writer(the);
  const { id } = (await (await key.send("POST", "/api/v1/leads", { name: "Ada" })).json()) as { id: string };
  const one = await instance(the, "all");
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE store.lead IN EXCLUSIVE MODE");
  const changing = fetch(`${one.baseUrl}/api/v1/leads/${id}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Ada Moreira" }),
  });
  while ((await lockWaits(the)) === 0) await sleep(20);
  const end = stopped(one);
  const isRefused = () =>
    fetch(`${one.baseUrl}/livez`).then(
      () => false,
      () => true,
    );
  while (!(await isRefused())) await sleep(20);
  await holder.end();
  const answer = await changing;
  assert.deepEqual([answer.status, answer.headers.get("connection")], [200, "close"]);
  await end;
  const changed = (await (await key.send("GET", `/api/v1/leads/${id}`)).json()) as { name: string };
  assert.equal(changed.name, "Ada Moreira");
});

large(
  "SIGTERM does not wait for the slow reader of an export, whose file then ends without its last part",
  async () => {
    await using the = await world({ env: { ROLE: "api" } });
    const key = await the.key();
    await the.sql(
      `INSERT INTO store.lead (project_id, id, name, landing_page, created_at)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i, repeat(md5(i::text), 60), now() FROM generate_series(1, 20000) i`,
      [the.project.id],
    );
    const one = await instance(the, "all");
    const { socket, closed } = await connection(one.baseUrl);
    const body = JSON.stringify({ project_id: the.project.id });
    socket.write(
      `POST /api/leads/export/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.text}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const [first] = (await once(socket, "data")) as [Buffer];
    assert.match(first.toString(), /^HTTP\/1\.1 200 /);
    socket.pause();
    await stopped(one);
    let tail = "";
    socket.on("data", (bytes: Buffer) => {
      tail = (tail + bytes.toString("latin1")).slice(-100);
    });
    socket.resume();
    await closed;
    assert.ok(!tail.endsWith("0\r\n\r\n"));
  },
);
