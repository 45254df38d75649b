import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceProcess, startService } from "../../test/processes/service-process.ts";
import { BENCH_MAPPING, importFile, psqlScript, seedKnown } from "./import/import-data.ts";
import { killImports } from "./import/import-kills.ts";
import { benchDatabase } from "./support/database.ts";
import { watchMemory } from "./support/memory.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);
const whole = (n: number) => Math.round(n).toLocaleString("en");
const FOLDER = "data/bench-import";

interface Options {
  rows: number;
  kills: number;
  kill: boolean;
}

/**
 * Imports a file of `rows` leads through the API into a project that already has a tenth of them, and
 * compares it with psql's COPY and upsert on the same tables. With `kills` it measures nothing and kills the
 * worker that often.
 */
export async function importLeads({ rows, kills, kill }: Options): Promise<void> {
  if (kill) {
    await using database = await benchDatabase({ fresh: true, folder: FOLDER });
    return await killImports(database, kills, say);
  }
  const path = join("data", "bench-leads.csv");
  const bytes = await importFile(path, rows);
  say(`${whole(rows)} rows, ${whole(bytes / 1e6)} MB`);
  const ours = "prj_0benchfeed0000000000000001";
  // Each on its own server: on a shared one, the second would find indexes twice as large.
  const floor = await psqlRate(ours, path, rows);
  await using database = await benchDatabase({ fresh: true, folder: FOLDER });
  await seedKnown(database, ours, rows);
  say(floor === undefined ? "psql is absent" : `psql: ${whole(floor)} rows/s`);
  await using service = await startService(database.url);
  const words = [
    "--project",
    ours,
    "--name",
    "bench",
    "--permissions",
    "leads:read,leads:write,schema:write",
  ];
  const { key } = await service.command("key", "create", ...words);
  await sleep(2_000);
  const memory = watchMemory(service.pid);
  const pages = watchPages(service, ours, String(key));
  const began = performance.now();
  const upload = await asked(service, String(key), "POST", "", createReadStream(path));
  const seconds = () => (performance.now() - began) / 1_000;
  say(`uploaded and inspected after ${seconds().toFixed(1)} s`);
  await asked(service, String(key), "PUT", `/${upload.id}/mapping`, BENCH_MAPPING);
  await asked(service, String(key), "POST", `/${upload.id}/commit`);
  let state = upload;
  for (; state.state !== "done"; state = await asked(service, String(key), "GET", `/${upload.id}`)) {
    if (state.state === "failed") throw new Error(JSON.stringify(state.error));
    await sleep(200);
  }
  const rate = rows / seconds();
  const counts = ["rows", "created", "updated", "unchanged", "skipped", "failed"].map(
    (name) => `${name} ${state[name]}`,
  );
  say(counts.join(", "));
  const ratio = floor === undefined ? "" : `, ${(rate / floor).toFixed(2)} of psql`;
  say(`import: ${seconds().toFixed(1)} s, ${whole(rate)} rows/s${ratio}; ${memory.told()}`);
  say(pages());
}

type Shown = Record<string, unknown> & { id: string; state: string };

async function asked(
  { baseUrl }: ServiceProcess,
  key: string,
  method: string,
  path: string,
  body?: Readable | object,
): Promise<Shown> {
  const stream = body instanceof Readable;
  const answer = await fetch(`${baseUrl}/api/v1/imports${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && { "Content-Type": stream ? "text/csv" : "application/json" }),
    },
    ...(body && {
      body: stream ? (Readable.toWeb(body) as ReadableStream) : JSON.stringify(body),
      duplex: "half",
    }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Shown;
}

/** Requests the newest page repeatedly; the returned function reports how long that took. */
function watchPages({ baseUrl }: ServiceProcess, projectId: string, key: string): () => string {
  const taken: number[] = [];
  let open = true;
  const ask = async () => {
    for (; open; await sleep(50)) {
      const began = performance.now();
      const answer = await fetch(`${baseUrl}/api/leads/query/`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ project_id: projectId, limit: 50, total: "none" }),
      });
      await answer.text();
      taken.push(performance.now() - began);
    }
  };
  ask().catch((error: unknown) => say(`a page was not answered: ${error}`));
  return () => {
    open = false;
    taken.sort((a, b) => a - b);
    const at = (part: number) => (taken[Math.floor(taken.length * part)] ?? 0).toFixed(0);
    return `${taken.length} pages meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${taken.at(-1)?.toFixed(0)} ms`;
  };
}

async function psqlRate(projectId: string, path: string, rows: number): Promise<number | undefined> {
  const psql = ["psql", ...[18, 17, 16, 15].map((v) => `/usr/lib/postgresql/${v}/bin/psql`)].find(
    (place) => spawnSync(place, ["--version"]).status === 0,
  );
  if (psql === undefined) return undefined;
  await using database = await benchDatabase({ fresh: true, folder: FOLDER });
  await seedKnown(database, projectId, rows);
  const began = performance.now();
  const child = spawn(psql, ["-X", "-q", "-v", "ON_ERROR_STOP=1", database.url], {
    env: { ...process.env, PGOPTIONS: "-c TimeZone=UTC -c jit=off -c search_path=leadgate,store,public" },
    stdio: ["pipe", "ignore", "pipe"],
  });
  child.stdin.end(psqlScript(projectId, path));
  const [[code], faults] = await Promise.all([once(child, "exit"), text(child.stderr)]);
  if (code !== 0) throw new Error(faults);
  return rows / ((performance.now() - began) / 1_000);
}
