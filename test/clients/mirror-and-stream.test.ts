import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Leadgate, type LeadgateError } from "../../clients/typescript/src/index.ts";
import { world } from "../world.ts";

test("a mirror is the leads of the project, after writes, deletions and a cursor that is too old", async () => {
  await using own = await world({ alone: true });
  const writer = await own.key(["leads:read", "leads:write"]);
  const late = [
    new Response(JSON.stringify({ error: { code: "cursor_expired", message: "Begin again." } }), {
      status: 410,
    }),
  ];
  const leadgate = new Leadgate({
    baseUrl: own.baseUrl,
    key: writer.text,
    fetch: async (url, init) =>
      (String(url).includes("snapshot") ? late.pop() : undefined) ?? (await fetch(url, init)),
  });
  const copies = new Map<string, string | null>();
  const phases: string[] = [];
  let cursor: string | undefined;
  const catchUp = async () => {
    const seen = new Set<string>();
    const save = (at: string) => {
      cursor = at;
    };
    const steps = leadgate.mirror({
      cursor,
      save,
      limit: 2,
      wait: false,
      restarted: () => void phases.push("restarted"),
    });
    for await (const { leads, gone, phase } of steps) {
      phases.push(phase);
      for (const { id, name } of leads) copies.set(id, name);
      for (const { id } of leads) seen.add(id);
      for (const id of gone) copies.delete(id);
      if (phase === "synced") for (const id of copies.keys()) if (!seen.has(id)) copies.delete(id);
    }
    const { data } = await leadgate.leads.search({ fields: ["name"], limit: 100 });
    assert.deepEqual(
      Object.fromEntries(copies),
      Object.fromEntries(data.leads.map(({ id, name }) => [id, name])),
    );
  };
  const ids: string[] = [];
  for (const name of ["Ana", "Bo", "Caio"]) ids.push((await leadgate.leads.create({ name })).data.id);
  const [ana = "", bo = "", caio = ""] = ids;
  copies.set("lead_of_an_earlier_copy", "Old");
  await catchUp();
  assert.deepEqual(phases.splice(0), ["sync", "synced", "restarted", "sync", "synced"]);
  await leadgate.leads.update(ana, { name: "Ana Souza" });
  await leadgate.leads.delete(bo);
  await leadgate.leads.merge(ana, { with: caio });
  await catchUp();
  assert.deepEqual([...new Set(phases)], ["follow"]);
  assert.deepEqual([...copies.values()], ["Ana Souza"]);
});

test("a stream goes on where it was cut, refused or silent, with each event once, and ends by its signal or its key", async () => {
  await using own = await world({ alone: true });
  const writer = await own.key(["leads:read", "leads:write"]);
  const reader = await own.key(["leads:read"]);
  /** What becomes of each attempt to open the stream, in their order; then it passes. */
  const fates: ("cut" | "silent" | Response)[] = [
    "cut",
    new Response("{}", { status: 429, headers: { "Retry-After": "0" } }),
    "silent",
    "cut",
  ];
  const asked: (string | null)[] = [];
  const leadgate = new Leadgate({
    baseUrl: own.baseUrl,
    key: reader.text,
    fetch: async (url, init) => {
      asked.push(new URL(String(url)).searchParams.get("cursor"));
      const fate = fates.shift();
      if (fate instanceof Response) return fate;
      if (fate === "silent") return new Response(new ReadableStream());
      const response = await fetch(url, init);
      return fate === "cut" ? new Response(cutAfter(response.body, "event: change")) : response;
    },
  });
  const { data } = await new Leadgate({ baseUrl: own.baseUrl, key: writer.text }).events.feed({
    since: "now",
    types: ["lead.created"],
  });
  const stop = new AbortController();
  const saved: string[] = [];
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names.slice(0, 3)) await (await writer.send("POST", "/api/v1/leads", { name })).text();
  const received: string[] = [];
  const reading = (async () => {
    const save = (at: string) => void saved.push(at);
    const options = {
      cursor: data.next_cursor,
      types: ["lead.created"],
      save,
      signal: stop.signal,
      silence: 300,
    };
    for await (const event of leadgate.streamEvents(options)) received.push(event.lead_id);
  })();
  while (received.length < 3) await sleep(20);
  for (const name of names.slice(3)) await (await writer.send("POST", "/api/v1/leads", { name })).text();
  while (received.length < 5) await sleep(20);
  stop.abort(new Error("enough"));
  await assert.rejects(reading, /enough/);
  const { leads } = (await (
    await writer.send("POST", "/api/v1/leads/search", { sort: [{ field: "name" }] })
  ).json()) as {
    leads: { id: string }[];
  };
  assert.deepEqual(
    received,
    leads.map(({ id }) => id),
  );
  assert.equal(asked[0], data.next_cursor);
  assert.ok(fates.length === 0 && asked.slice(1).every((cursor) => cursor !== null));
  const ending = (async () => {
    for await (const event of leadgate.streamEvents()) assert.fail(event.type);
  })();
  await own.sql("UPDATE store.api_key SET revoked_at = now() WHERE id = $1", [reader.id]);
  await assert.rejects(ending, (error: LeadgateError) =>
    ["unauthenticated", "invalid_key"].includes(error.code),
  );
});

/** Returns a stream that breaks off behind the first chunk that has the text. */
function cutAfter(body: ReadableStream<Uint8Array> | null, text: string): ReadableStream<Uint8Array> {
  let isOver = false;
  return (body ?? assert.fail("no body")).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (isOver) return controller.error(new TypeError("terminated"));
        controller.enqueue(chunk);
        isOver = new TextDecoder().decode(chunk).includes(text);
        if (isOver) setTimeout(() => controller.error(new TypeError("terminated")), 10);
      },
    }),
  );
}
