import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { refusalOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { earlier } from "../citus/earlier.ts";
import { instance } from "../instance.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { eraser } from "./support/erasing.ts";

/** Begins to upload a file; returns what ends it and its answer's status. */
async function begun(the: World, key: KeyActor, baseUrl: string) {
  let more: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = controller;
      controller.enqueue(new TextEncoder().encode("email\nbo@example.org\n"));
    },
  });
  const status = fetch(`${baseUrl}/api/v1/imports`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "text/csv" },
    body,
    duplex: "half",
  } as RequestInit).then(
    (answer) => answer.status,
    () => "cut",
  );
  while ((await the.sql("SELECT FROM store.import WHERE state = 'uploading'")).length === 0) await sleep(10);
  return { end: () => more?.close(), status };
}

const made = async (key: KeyActor): Promise<string> =>
  (await leadOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201)).id;
const erase = (key: KeyActor, id: string) => key.send("DELETE", `/api/v1/leads/${id}?erase=true`);

const SILENT = `UPDATE store.import SET alive_at = ${earlier("alive_at", "interval '61 seconds'")}`;

test("an upload whose process was killed holds up erasing for no more than a minute", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const id = await made(key);
  const child = await instance(the, "api");
  const { status } = await begun(the, key, child.baseUrl);
  await child.end("SIGKILL");
  assert.equal(await status, "cut");
  assert.equal((await refusalOf(await erase(key, id))).code, "import_running");
  await the.sql(SILENT);
  assert.equal((await erase(key, id)).status, 204);
  assert.deepEqual(await the.sql("SELECT FROM store.import"), []);
});

test("a slow upload is alive as long as its process is, and one that was given up fails when it goes on", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const id = await made(key);
  const slow = await begun(the, key, the.baseUrl);
  await the.sql(SILENT);
  const alive = "SELECT FROM store.import WHERE alive_at > now() - interval '50 seconds'";
  while ((await the.sql(alive)).length === 0) await sleep(50);
  assert.equal((await refusalOf(await erase(key, id))).code, "import_running");
  await the.sql("DELETE FROM store.import");
  slow.end();
  assert.ok(Number(await slow.status) >= 400);
  assert.deepEqual(await the.sql("SELECT FROM store.import_piece"), []);
});
