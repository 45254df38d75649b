import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Ground, mountedAt, remount, umount } from "../../chaos/ground.ts";
import { Relay } from "../../chaos/relay.ts";
import { ownRedis } from "../../limits/support/redis.ts";
import type { Line } from "../../observe/support/logging.ts";
import { scrape } from "../../operator/support/scrape.ts";
import { SECRET_KEY } from "../../processes/service-process.ts";
import { freePort } from "../../world.ts";

/** What an operator has of a night: the log, and what `/metrics` showed each second. */
export interface Night {
  text: string;
  lines: Line[];
  scrapes: { at: Date; phase: Phase; text: string }[];
}

export type Phase = "before" | "during" | "after";

/** What a fault is done to, before the service starts and while it runs. */
interface Stage {
  ground: Ground;
  folder: string;
  /** The database itself, without the relay. */
  databaseUrl: string;
  baseUrl: string;
  env: Record<string, string>;
}

/** A fault: `prepare` changes the settings, `cause` begins it and returns how it ends. */
export interface Fault {
  name: string;
  /** How long it lasts at least, in seconds. */
  lasts: number;
  prepare?(stage: Stage): Promise<(stage: Stage) => Promise<() => Promise<void> | void>>;
  cause?(stage: Stage): Promise<() => Promise<void> | void>;
  skip?: string | false;
}

const MEGABYTE = 2 ** 20;
const UNLIMITED = JSON.stringify({ api: null });
/** Where the cgroup of block devices is, in its first version. */
const BLKIO = "/sys/fs/cgroup/blkio";

async function program(url: string, application: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: application });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Makes each wait for the disk of these processes last some hundred milliseconds; returns how that ends. */
function slowDisk(folder: string, processes: readonly number[]): () => Promise<void> {
  const group = join(BLKIO, `leadgate-night-${process.pid}`);
  const { dev } = statSync(folder);
  mkdirSync(group);
  writeFileSync(join(group, "blkio.throttle.write_iops_device"), `${dev >> 8}:${dev & 255} 8`);
  const move = (to: string, pids: readonly number[]) => {
    for (const pid of pids)
      try {
        writeFileSync(join(to, "cgroup.procs"), String(pid));
      } catch {
        // It has ended.
      }
  };
  move(group, processes);
  return async () => {
    // A process in it may start another one there, and one that ends stays for a moment.
    for (let tries = 0; ; tries += 1) {
      const left = readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter(Boolean);
      move(BLKIO, left.map(Number));
      try {
        return rmdirSync(group);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EBUSY" || tries === 100) throw error;
        await sleep(100);
      }
    }
  };
}

/** Asks for an export and takes a thousand bytes of it a second. */
function slowReader({ baseUrl, ground }: Stage): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const body = JSON.stringify({ project_id: ground.cast.projectId, format: "ndjson" });
  socket.on("error", () => undefined);
  socket.write(
    `POST /api/leads/export/ HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${ground.cast.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.pause();
  const timer = setInterval(() => socket.read(1_000), 1_000);
  socket.once("close", () => clearInterval(timer));
  return socket;
}

/** A module that keeps its program busy for most of each second, while there is such a file. */
const BLOCKING = (file: string) => `import { existsSync } from "node:fs";
const ran = () => process.threadCpuUsage().user / 1_000;
setInterval(() => { if (existsSync("${file}")) for (const from = ran(); ran() < from + 900; ) for (const end = Date.now() + 20; Date.now() < end; ); }, 1_100).unref();
`;

const inTransaction =
  (application: string, sql: string, end: string): NonNullable<Fault["cause"]> =>
  async ({ databaseUrl }) => {
    const client = await program(databaseUrl, application);
    await client.query(sql);
    return async () => {
      await client.query(end);
      await client.end();
    };
  };

const EDIT = "UPDATE store.lead SET name = name WHERE id = (SELECT id FROM store.lead LIMIT 1)";

export const FAULTS: readonly Fault[] = [
  { name: "lock", lasts: 8, cause: inTransaction("etl", "BEGIN; LOCK TABLE store.lead", "COMMIT") },
  { name: "long transaction", lasts: 36, cause: inTransaction("crm-report", `BEGIN; ${EDIT}`, "ROLLBACK") },
  {
    name: "vacuum",
    lasts: 36,
    cause: inTransaction(
      "etl",
      `BEGIN; ${EDIT}; PREPARE TRANSACTION 'batch-4711'`,
      "ROLLBACK PREPARED 'batch-4711'",
    ),
  },
  {
    name: "slow disk",
    lasts: 10,
    skip: !existsSync(join(BLKIO, "blkio.throttle.read_iops_device")) && "no cgroup of block devices",
    cause: async ({ ground }) => slowDisk(ground.folder, ground.processes()),
  },
  {
    name: "full log disk",
    lasts: 8,
    async prepare({ folder }) {
      const disk = join(folder, "log");
      mkdirSync(disk);
      if (!mountedAt(disk)) throw new Error("cannot mount a file system");
      remount(disk, 8 * MEGABYTE);
      return async () => {
        const filler = join(disk, "other.log");
        try {
          writeFileSync(filler, Buffer.alloc(8 * MEGABYTE));
        } catch {
          // It is full now.
        }
        return () => rmSync(filler);
      };
    },
  },
  {
    name: "processor",
    lasts: 12,
    async cause() {
      const others = Array.from({ length: 10 }, () =>
        spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
      );
      return () => {
        for (const other of others) other.kill("SIGKILL");
      };
    },
  },
  {
    name: "event loop",
    lasts: 12,
    async prepare({ folder, env }) {
      const file = join(folder, "busy");
      const module = join(folder, "busy.mjs");
      writeFileSync(module, BLOCKING(file));
      env.NODE_OPTIONS = `--import=${module}`;
      return async () => {
        writeFileSync(file, "");
        return () => rmSync(file);
      };
    },
  },
  {
    name: "slow client",
    lasts: 8,
    async cause(stage) {
      const client = await program(stage.databaseUrl, "seed");
      await client.query(
        `INSERT INTO store.lead (project_id, id, name, company)
         SELECT project_id, 'lead_' || lpad(to_hex(i), 26, '0'), repeat(md5(i::text), 6), repeat(md5(i::text), 6)
         FROM generate_series(1, 60000) i, (SELECT project_id FROM store.lead LIMIT 1) one`,
      );
      await client.end();
      const readers = Array.from({ length: 3 }, () => slowReader(stage));
      return () => {
        for (const reader of readers) reader.destroy();
      };
    },
  },
  {
    name: "redis",
    lasts: 6,
    async prepare({ env }) {
      const redis = await ownRedis();
      env.REDIS_URL = redis.url;
      env.LIMITS = JSON.stringify({ api: { perMinute: 6_000, burst: 3_000 } });
      return async () => {
        redis.hang();
        return () => redis.wake();
      };
    },
  },
  {
    name: "network",
    lasts: 10,
    async prepare({ env, databaseUrl }) {
      const relay = await Relay.to(databaseUrl);
      env.DATABASE_URL = relay.url;
      return async () => {
        relay.delay(150);
        const timer = setInterval(() => relay.drop(), 4_000);
        return () => {
          clearInterval(timer);
          relay.delay(0);
        };
      };
    },
  },
];

/** Starts the service with these settings; its log is the file. */
async function started(env: Record<string, string>, file: string, authUrl: string): Promise<ChildProcess> {
  const log = openSync(file, "a");
  const child = spawn(process.execPath, ["src/main.ts", "serve"], { env, stdio: ["ignore", log, log] });
  const isUp = () =>
    fetch(`${authUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(readFileSync(file, "utf8"));
    await sleep(50);
  }
  return child;
}

/** Calls until `signal`: half of the callers read, the others create and change leads. */
async function load(baseUrl: string, { key, projectId }: Ground["cast"], signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const send = async (path: string, body: object, method = "POST") => {
    const answer = await fetch(baseUrl + path, { method, headers, body: JSON.stringify(body) });
    const { id } = (await answer.json()) as { id?: string };
    made = id ?? made;
  };
  let made = "";
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      for (let i = 0; !signal.aborted; i += 1) {
        const call =
          n % 2 === 0
            ? send("/api/leads/query", { project_id: projectId, limit: 20 })
            : n % 3 === 0
              ? send(`/api/v1/leads/${made}`, { score: i % 100 }, "PATCH")
              : send("/api/v1/leads", { name: `Lead ${n} ${i}` });
        await call.catch(() => undefined);
        await sleep(80);
      }
    }),
  );
}

/** Has a night with this fault in it. */
export async function nightOf(
  fault: Fault,
  ground: Ground,
  folder: string,
  times: { before: number; after: number },
): Promise<Night> {
  mkdirSync(folder);
  const databaseUrl = await ground.freshDatabase();
  const [authUrl, baseUrl] = [`http://localhost:${await freePort()}`, `http://localhost:${await freePort()}`];
  const env: Record<string, string> = {
    ...{ PATH: process.env.PATH ?? "", DATABASE_URL: databaseUrl, SECRET_KEY, LIMITS: UNLIMITED },
    ...{ AUTH_URL: authUrl, BASE_URL: baseUrl, LOG_LEVEL: "info", DATA_DIR: join(folder, "data") },
  };
  const stage: Stage = { ground, folder, databaseUrl, baseUrl, env };
  const cause = (await fault.prepare?.(stage)) ?? fault.cause;
  const disk = join(folder, "log");
  const isMounted = existsSync(disk);
  const file = isMounted ? join(disk, "leadgate.log") : join(folder, "leadgate.log");
  const child = await started(env, file, authUrl);
  const ended = new AbortController();
  const scrapes: Night["scrapes"] = [];
  let phase: Phase = "before";
  const scraping = (async () => {
    while (!ended.signal.aborted) {
      const at = new Date();
      const text = await scrape(baseUrl).catch(() => "");
      scrapes.push({ at, phase, text });
      await sleep(1_000);
    }
  })();
  const loading = load(baseUrl, ground.cast, ended.signal);
  try {
    await sleep(times.before * 1_000);
    const undo = await cause?.(stage);
    phase = "during";
    await sleep(fault.lasts * 1_000);
    phase = "after";
    await undo?.();
    await sleep(times.after * 1_000);
  } finally {
    ended.abort();
    await Promise.all([scraping, loading]);
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
  const text = readFileSync(file, "utf8");
  if (isMounted) umount(disk);
  await ground.drop(databaseUrl);
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);
  return { text, lines, scrapes };
}
