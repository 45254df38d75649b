import { spawn, spawnSync } from "node:child_process";
import { type IncomingMessage, request } from "node:http";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { LEAD_FIELDS } from "../../src/contract/lists/lead-fields.ts";
import { startService } from "../../test/processes/service-process.ts";
import { BENCH_PROJECTS, prepareLeads } from "./leads/leads-data.ts";
import { benchDatabase } from "./support/database.ts";
import { median } from "./support/load.ts";
import { watchMemory } from "./support/memory.ts";

const say = (line: string) => void process.stdout.write(`${line}\n`);
const whole = (n: number) => Math.round(n).toLocaleString("en");
const SLOW = 1_048_576;

const columns = LEAD_FIELDS.map(({ name }) => name).filter((name) => name !== "custom");

/** The same export as a COPY statement for psql. */
const COPY: Record<"csv" | "ndjson", (projectId: string) => string> = {
  csv: (id) => `COPY (SELECT ${columns.join(", ")}, custom ->> 'plan', custom ->> 'seats' FROM store.lead
    WHERE project_id = '${id}' AND deleted_at IS NULL AND merged_into_id IS NULL ORDER BY created_at DESC, id) TO STDOUT CSV`,
  ndjson: (id) => `COPY (SELECT row_to_json(l) FROM (SELECT ${columns.join(", ")}, custom FROM store.lead
    WHERE project_id = '${id}' AND deleted_at IS NULL AND merged_into_id IS NULL ORDER BY created_at DESC, id) AS l) TO STDOUT`,
};

interface Options {
  fresh: boolean;
  rounds: number;
  rows: number;
  /** Measures only one reader, who takes the entire file at one megabyte per second. */
  slow: boolean;
}

/**
 * Compares an export of `rows` leads over HTTP with psql's COPY of the same columns, in turn, and measures
 * the memory it takes.
 */
export async function exportLeads({ fresh, rounds, rows, slow }: Options): Promise<void> {
  await using database = await benchDatabase({ fresh, folder: "data/bench-export" });
  const project = { id: BENCH_PROJECTS[0]?.id ?? "", leads: rows };
  await prepareLeads(database, say, [project]);
  await database.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'plan', 'Plan', 'text'), ($1, 'seats', 'Seats', 'number')
     ON CONFLICT DO NOTHING`,
    [project.id],
  );
  await using service = await startService(database.url);
  const words = ["--project", project.id, "--name", "bench", "--permissions", "leads:read"];
  const { key } = await service.command("key", "create", ...words);
  await sleep(3_000);
  const memory = watchMemory(service.pid);
  say(`idle: resident ${whole(memory.idle)} MB`);
  const open = (format: string) => asked(service.baseUrl, String(key), { project_id: project.id, format });
  if (slow) {
    say(`a reader of 1 MB/s: ${whole(await readSlowly(await open("csv")))} MB, the whole file`);
    say(memory.told());
    return;
  }
  const psql = ["psql", ...[18, 17, 16, 15].map((v) => `/usr/lib/postgresql/${v}/bin/psql`)].find(
    (place) => spawnSync(place, ["--version"]).status === 0,
  );
  for (const format of ["csv", "ndjson"] as const) {
    const ours: number[] = [];
    const floor: number[] = [];
    for (let i = 1; i <= rounds; i += 1) {
      let began = performance.now();
      const bytes = await sizeOf(await open(format));
      ours.push(rows / ((performance.now() - began) / 1_000));
      if (psql !== undefined) {
        began = performance.now();
        await copied(psql, database.url, COPY[format](project.id));
        floor.push(rows / ((performance.now() - began) / 1_000));
      }
      const beside = whole(floor.at(-1) ?? 0);
      say(`${format} ${i}: ${whole(ours.at(-1) ?? 0)} rows/s (${whole(bytes / 1e6)} MB), psql ${beside}`);
    }
    const ratio =
      floor.length === 0 ? "psql is absent" : `${(median(ours) / median(floor)).toFixed(2)} of psql`;
    say(`${format}: ${whole(median(ours))} rows/s, ${ratio}; ${memory.told()}`);
  }
}

/** Reads to the end, a megabyte per second; returns the number of megabytes. */
async function readSlowly(file: AsyncIterable<unknown>): Promise<number> {
  const began = performance.now();
  let taken = 0;
  for await (const chunk of file) {
    taken += (chunk as Buffer).length;
    await sleep(Math.max(0, (taken / SLOW) * 1_000 - (performance.now() - began)));
  }
  return taken / 1e6;
}

function asked(baseUrl: string, key: string, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const sent = request(`${baseUrl}/api/leads/export/`, { method: "POST", headers }, (answer) => {
      if (answer.statusCode === 200) resolve(answer);
      else reject(new Error(`the export was answered with ${answer.statusCode}`));
    });
    sent.once("error", reject);
    sent.end(JSON.stringify(body));
  });
}

async function sizeOf(file: AsyncIterable<unknown>): Promise<number> {
  let bytes = 0;
  for await (const chunk of file) bytes += (chunk as Buffer).length;
  return bytes;
}

async function copied(psql: string, url: string, statement: string): Promise<number> {
  const options = "-c TimeZone=UTC -c jit=off";
  const child = spawn(psql, ["-X", "-q", "-c", statement, url], {
    env: { ...process.env, PGOPTIONS: options },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return await sizeOf(child.stdout);
}
