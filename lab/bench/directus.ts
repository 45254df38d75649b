import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { startService } from "../../test/processes/service-process.ts";
import { freePort } from "../../test/world.ts";
import { prepareLeads, projectOf } from "./leads/leads-data.ts";
import { type BenchDatabase, benchDatabase } from "./support/database.ts";
import { type Load, type Measured, measureLoad, median } from "./support/load.ts";

const HOME = resolve("lab/bench/directus");
const PROGRAM = join(HOME, "node_modules/directus/cli.js");
const TOKEN = "bench-token-of-the-administrator";
const CONNECTIONS = 16;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const whole = (n: number) => Math.round(n).toLocaleString("en");

/**
 * Compares the service with Directus 12.4.0 on the newest 50 leads of a status and a source among a million,
 * in turn, over HTTP, on the same PostgreSQL. Directus has no two-column keys, so it reads a copy of the
 * project with a key and an index of its own, without the other projects' rows.
 */
export async function directus(options: { fresh: boolean; seconds: number; rounds: number }): Promise<void> {
  const missing = installed();
  if (missing !== undefined) {
    say(`Directus 12.4.0 is left out: ${missing}`);
    return;
  }
  await using database = await benchDatabase({ ...options, folder: "data/bench-queries" });
  const project = projectOf(1_000_000);
  await prepareLeads(database, say, [project]);
  await copied(database, project.id);
  await using peer = await startDirectus(database.url);
  await using service = await startService(database.url);
  const words = ["--project", project.id, "--name", "bench", "--permissions", "leads:read"];
  const { key } = await service.command("key", "create", ...words);
  const is = (field: string, value: string) => ({ field, op: "eq", value });
  const ours = {
    url: `${service.baseUrl}/api/leads/query/`,
    key: String(key),
    bodies: [
      JSON.stringify({
        ...{ project_id: project.id, limit: 50, total: "none" },
        filter: { and: [is("status", "contacted"), is("source", "referral")] },
      }),
    ],
    connections: CONNECTIONS,
  };
  const theirs = {
    url: `${peer.url}/items/lead`,
    method: "SEARCH",
    key: TOKEN,
    bodies: [
      JSON.stringify({
        query: {
          filter: { _and: [{ status: { _eq: "contacted" } }, { source: { _eq: "referral" } }] },
          ...{ sort: ["-created_at", "id"], limit: 50, fields: ["*"] },
        },
      }),
    ],
    connections: CONNECTIONS,
  };
  await checkSame(ours, theirs);
  for (const load of [ours, theirs]) await measureLoad({ ...load, seconds: 2 });
  const rounds: [Measured, Measured][] = [];
  for (let i = 1; i <= options.rounds; i += 1) {
    const { seconds } = options;
    const round: [Measured, Measured] = [
      await measureLoad({ ...ours, seconds }),
      await measureLoad({ ...theirs, seconds }),
    ];
    rounds.push(round);
    say(
      `round ${i}: service ${whole(round[0].perSecond)} req/s, Directus ${whole(round[1].perSecond)} req/s`,
    );
  }
  for (const [at, name] of ["service", "Directus 12.4.0"].entries()) {
    const of = (read: (measured: Measured) => number) =>
      median(rounds.map((round) => read(round[at === 0 ? 0 : 1])));
    const times = `p50 ${of(({ p50 }) => p50).toFixed(1)} ms, p99 ${of(({ p99 }) => p99).toFixed(1)} ms`;
    say(`${name}: ${whole(of(({ perSecond }) => perSecond))} req/s, ${times}`);
  }
  const failed = rounds.flat().reduce((sum, measured) => sum + measured.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests were not answered with 200`);
}

/** Installs Directus from its lock file, once; returns why it cannot be installed. */
function installed(): string | undefined {
  const isReady = () => spawnSync(process.execPath, [PROGRAM, "--version"], { cwd: HOME }).status === 0;
  if (existsSync(PROGRAM) && isReady()) return undefined;
  say("installing Directus into lab/bench/directus (about 700 MB)");
  const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, stderr } = spawnSync("npm", words, { cwd: HOME, encoding: "utf8" });
  if (status !== 0) return `npm ci ended with ${status}: ${stderr.trim().split("\n").slice(-3).join(" ")}`;
  return isReady() ? undefined : "it was installed and does not start";
}

/** Copies the project's leads to a schema for Directus, with the index that its statement needs. */
async function copied({ sql }: BenchDatabase, projectId: string): Promise<void> {
  const [there] = await sql<{ lead: string | null }>("SELECT to_regclass('directus.lead')::text AS lead");
  if (typeof there?.lead === "string") return;
  say("copying the project for Directus");
  await sql("CREATE SCHEMA IF NOT EXISTS directus");
  await sql("CREATE TABLE directus.lead AS SELECT * FROM store.lead WHERE project_id = $1", [projectId]);
  await sql("ALTER TABLE directus.lead ADD PRIMARY KEY (id)");
  await sql("CREATE INDEX ON directus.lead (status, source, created_at DESC, id)");
  await sql("VACUUM ANALYZE directus.lead");
}

async function startDirectus(databaseUrl: string): Promise<{ url: string } & AsyncDisposable> {
  const port = await freePort();
  const env = {
    ...process.env,
    ...{ DB_CLIENT: "pg", DB_CONNECTION_STRING: databaseUrl, DB_SEARCH_PATH: "array:directus,public" },
    ...{ HOST: "127.0.0.1", PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, SECRET: "bench" },
    ...{ ADMIN_EMAIL: "bench@example.org", ADMIN_PASSWORD: "bench bench bench", ADMIN_TOKEN: TOKEN },
    ...{ TELEMETRY: "false", LOG_LEVEL: "error", CACHE_ENABLED: "false", RATE_LIMITER_ENABLED: "false" },
    ...{ PRESSURE_LIMITER_ENABLED: "false", NODE_ENV: "production", DB_POOL__MAX: "16" },
    STORAGE_LOCAL_ROOT: mkdtempSync(join(tmpdir(), "leadgate-directus-")),
  };
  const bootstrap = spawnSync(process.execPath, [PROGRAM, "bootstrap"], { cwd: HOME, env, encoding: "utf8" });
  if (bootstrap.status !== 0)
    throw new Error(`Directus has no tables:\n${bootstrap.stdout}${bootstrap.stderr}`);
  const stdio: ["ignore", "ignore", "inherit"] = ["ignore", "ignore", "inherit"];
  const child = spawn(process.execPath, [PROGRAM, "start"], { cwd: HOME, env, stdio });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; !(await isReady()); tries += 1) {
    if (child.exitCode !== null || tries > 600) throw new Error("Directus did not start");
    await sleep(200);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Checks that both return the same 50 leads; otherwise nothing is compared. */
async function checkSame(...loads: Omit<Load, "seconds">[]): Promise<void> {
  const pages = await Promise.all(
    loads.map(async ({ url, method = "POST", key, bodies }) => {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      const answer = await fetch(url, { method, headers, body: bodies[0] ?? "" });
      const page = (await answer.json()) as { leads?: { id: string }[]; data?: { id: string }[] };
      return (page.leads ?? page.data ?? []).map(({ id }) => id).join();
    }),
  );
  if (pages[0] === "" || pages[0] !== pages[1])
    throw new Error(`they answer other leads:\n${pages.join("\n")}`);
}
