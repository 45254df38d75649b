import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { large } from "../large.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { copying, fill, untilNoneCopies } from "./support/exports.ts";
import { problemOf } from "./support/leads.ts";
import { linesOf } from "./support/log-lines.ts";

/** A project with an API key and leads that fill several megabytes. */
interface Tenant {
  projectId: string;
  key: KeyActor;
}

async function tenant(the: World, name: string, leads = 8_000): Promise<Tenant> {
  const { id: projectId } = await the.newProject(the.person, name);
  await fill(the, leads, projectId);
  return { projectId, key: await the.key(["leads:read"], projectId) };
}

/** Starts a stream; nobody reads more of it than the first buffers hold. */
const streamed = ({ key, projectId }: Tenant, body: object = {}): Promise<Response> =>
  key.send("POST", "/api/leads/export/", { project_id: projectId, ...body });

const linesIn = async (response: Response): Promise<number> => (await response.text()).split("\n").length - 1;

large(
  "the third stream of a project is asked to wait, and its slow readers do not keep another from streaming",
  async () => {
    await using the = await world();
    const [first, second] = [await tenant(the, "First"), await tenant(the, "Second")];
    const slow = [await streamed(first), await streamed(first)];
    const refused = await streamed(first);
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal((await problemOf(refused)).code, "too_many_exports");
    assert.equal(await linesIn(await streamed(second)), 8_001);
    assert.equal(await copying(the), 2, "the first project's are still there");
    assert.equal(await linesIn(await streamed(second)), 8_001);
    for (const response of slow) assert.equal(await linesIn(response), 8_001);
    await untilNoneCopies(the);
    assert.equal(await linesIn(await streamed(first)), 8_001, "its slots are free again");
  },
);

large("a project that may have many streams leaves one to the others", async () => {
  await using the = await world({ env: { EXPORTS: '{"streamsPerProject":6}' } });
  const [first, second, third] = [
    await tenant(the, "First"),
    await tenant(the, "Second"),
    await tenant(the, "Third", 1),
  ];
  const slow = await Promise.all(Array.from({ length: 7 }, () => streamed(first)));
  assert.deepEqual(slow.map(({ status }) => status).sort(), [...Array(6).fill(200), 429]);
  const other = await streamed(second);
  assert.equal(other.status, 200);
  const full = await streamed(third);
  assert.deepEqual([full.status, (await problemOf(full)).code], [503, "database_busy"]);
  assert.equal(await linesIn(other), 8_001);
  for (const response of slow) await response.body?.cancel();
});

large(
  "a reader below the minimum speed is cut off and frees its connection; a slow one above it gets everything",
  async () => {
    await using the = await world({
      env: { EXPORTS: '{"slowestReader":200000}', LOG_LEVEL: "warn" },
      config: { exportReaderMs: 3_000 },
    });
    const [first, second] = [await tenant(the, "First", 10_000), await tenant(the, "Second", 10_000)];
    const lines = linesOf(the);
    const isCut = () => /cut off because its reader took fewer bytes/.test(lines.join(""));
    const steady = readAt(the, second, () => 2_000_000);
    // What the network's buffers hold is read quickly once it is cut off.
    const slow = readAt(the, first, () => (isCut() ? Number.POSITIVE_INFINITY : 20_000));
    await assert.rejects(slow, "what was cut off does not look whole");
    assert.ok(isCut());
    const whole = await steady;
    assert.ok(whole.endsWith("\n"));
    assert.equal(whole.split("\n").length, 10_002);
    await untilNoneCopies(the);
    for (let time = 0; time < 3; time += 1) assert.equal(await linesIn(await streamed(first)), 10_001);
  },
);

test("a reader that waits for a slow database is not a slow reader", async () => {
  await using the = await world({
    env: { EXPORTS: '{"slowestReader":100000000}' },
    config: { exportReaderMs: 1_000 },
  });
  const { projectId, key } = await tenant(the, "First", 300);
  // ten rows a second, 20 KB: far below what a reader must take
  await the.sql(`CREATE FUNCTION public.slow(value text) RETURNS text LANGUAGE plpgsql VOLATILE AS
    $$ BEGIN PERFORM pg_sleep(0.01); RETURN value; END $$`);
  await the.sql(`CREATE OR REPLACE VIEW leadgate.lead AS ${await slowView(the)}`);
  assert.equal(await linesIn(await streamed({ projectId, key })), 301);
});

/** The view of leads, in which reading a landing page takes ten milliseconds. */
async function slowView(the: World): Promise<string> {
  const [view] = await the.sql<{ text: string }>("SELECT pg_get_viewdef('leadgate.lead'::regclass) AS text");
  const text = view?.text ?? "";
  assert.match(text, /\blanding_page\b/);
  return text.replace(/\b((?:\w+\.)?landing_page)\b/, "public.slow($1) AS landing_page");
}

/** Reads a project's whole file at the speed, in bytes per second, that a function returns for each part; fails if the connection ends before the file does. */
async function readAt(the: World, { key, projectId }: Tenant, speed: () => number): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" };
    const sent = request(`${the.baseUrl}/api/leads/export/`, { method: "POST", headers }, resolve);
    sent.once("error", reject);
    sent.end(JSON.stringify({ project_id: projectId }));
  });
  assert.equal(answer.statusCode, 200);
  const parts: Buffer[] = [];
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    await sleep((part.length / speed()) * 1_000);
  }
  return Buffer.concat(parts).toString();
}

test("exports that are streamed one after another never meet the limit of streams", async () => {
  await using the = await world({ env: { EXPORTS: JSON.stringify({ streamsPerProject: 1 }) } });
  const key = await the.key();
  for (let n = 0; n < 50; n += 1) {
    const answer = await key.send("POST", "/api/leads/export", { project_id: the.project.id });
    await answer.arrayBuffer();
    assert.equal(answer.status, 200, `export ${n}`);
  }
});
