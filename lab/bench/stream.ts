import { get, type IncomingMessage } from "node:http";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../src/core/id.ts";
import { makeKey } from "../../src/domain/api-keys/api-key.ts";
import { startService } from "../../test/processes/service-process.ts";
import { refuseNoWork } from "./stability/work.ts";
import { type BenchDatabase, benchDatabase } from "./support/database.ts";

/** How many streams, in how many projects. */
const SCENES: readonly (readonly [streams: number, projects: number])[] = [
  [1, 1],
  [100, 1],
  [1_000, 1],
  [1_000, 100],
];
const EVENTS_PER_SECOND = 20;
const STREAMS_PER_KEY = 20;
const GOAL_MS = 300;

const say = (line: string) => void process.stdout.write(`${line}\n`);

interface Project {
  id: string;
  lead: string;
  keys: string[];
}

/**
 * Measures the time from before an event is sent to the database until its readers have it, for streams of one process,
 * and the statements that the process sends for them. Exits with 1 if an event was missed or p99 is above 300 ms.
 */
export async function stream({ seconds }: { seconds: number }): Promise<void> {
  refuseNoWork("--seconds", seconds);
  await using database = await benchDatabase({ fresh: true, folder: "data/bench-stream" });
  for (const [streams, projects] of SCENES) {
    // A process of its own each time, so that it starts with nothing to send.
    await using service = await startService(database.url);
    const those: Project[] = [];
    while (those.length < projects)
      those.push(await prepare(database, Math.ceil(streams / projects / STREAMS_PER_KEY)));
    const sentAt = new Map<string, number>();
    const delays: number[] = [];
    const arrived = (id: string) => {
      const sent = sentAt.get(id);
      if (sent !== undefined) delays.push(performance.now() - sent);
    };
    const open: IncomingMessage[] = [];
    for (let n = 0; n < streams; n += 1) {
      const { keys } = those[n % projects] as Project;
      const key = keys[Math.floor(n / projects / STREAMS_PER_KEY)] ?? "";
      open.push(await reader(service.baseUrl, key, arrived));
    }
    await sleep(1_000);
    const before = await figures(service.baseUrl);
    const begun = performance.now();
    let expected = 0;
    while (performance.now() - begun < seconds * 1_000) {
      const { id: project, lead } = those[Math.floor(Math.random() * projects)] as Project;
      const id = newId("evt");
      sentAt.set(id, performance.now());
      await database.sql(INSERT, [project, id, lead]);
      expected += streams / projects;
      await sleep((Math.random() * 2_000) / EVENTS_PER_SECOND);
    }
    const took = (performance.now() - begun) / 1_000;
    const after = await figures(service.baseUrl);
    for (let tries = 0; delays.length < expected && tries < 50; tries += 1) await sleep(100);
    for (const each of open) each.destroy();
    const sorted = delays.sort((a, b) => a - b);
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
    const rate = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / took;
    const polls = rate("leadgate_live_poll_seconds_count");
    const poll = (1_000 * rate("leadgate_live_poll_seconds_sum")) / polls;
    say(
      `${streams} streams in ${projects} projects: p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, ` +
        `most ${at(1).toFixed(0)} ms; ${delays.length} of ${expected} arrived; ` +
        `${rate("leadgate_live_statements_total").toFixed(1)} statements/s, a poll takes ${poll.toFixed(1)} ms, ` +
        `${(100 * rate("process_cpu_seconds_total")).toFixed(0)} % of a processor`,
    );
    if (delays.length !== expected || at(0.99) > GOAL_MS) process.exitCode = 1;
  }
}

const INSERT = `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, actor)
  VALUES ($1, $2, $3, 'call.made', now(), 'Call made', '{"type": "cli", "id": null, "label": "bench"}')`;

/** A project with one lead and keys. */
async function prepare({ sql }: BenchDatabase, count: number): Promise<Project> {
  const [id, lead] = [newId("prj"), newId("lead")];
  await sql("INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Streams', $2)", [
    id,
    id.slice(4).toLowerCase(),
  ]);
  await sql("INSERT INTO store.lead (project_id, id, name) VALUES ($1, $2, 'Ana')", [id, lead]);
  const keys: string[] = [];
  while (keys.length < count) {
    const key = newId("key");
    const { text, hash } = makeKey(id, key);
    await sql(
      "INSERT INTO store.api_key (project_id, id, name, hash, permissions) VALUES ($1, $2, 'bench', $3, '{leads:read}')",
      [id, key, hash],
    );
    keys.push(text);
  }
  return { id, lead, keys };
}

/** Opens a stream; resolves once it is open. */
function reader(baseUrl: string, key: string, arrived: (id: string) => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    const request = get(`${baseUrl}/api/v1/events/stream`, { headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream was refused: ${answer.statusCode}`));
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        const end = text.lastIndexOf("\n\n");
        if (end < 0) return;
        for (const [, id = ""] of text.slice(0, end).matchAll(/^data: \{"id":"(\w+)"/gm)) arrived(id);
        text = text.slice(end + 2);
      });
      answer.on("error", () => undefined);
      resolve(answer);
    });
    request.on("error", reject);
  });
}

/** The service's metrics without labels. */
async function figures(baseUrl: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const lines = [...text.matchAll(/^(\w+) (\S+)$/gm)];
  return Object.fromEntries(lines.map(([, name = "", value]) => [name, Number(value)]));
}
