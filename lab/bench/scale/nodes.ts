import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createDatabase } from "../../../test/citus/pool.ts";
import { freePort } from "../../../test/world.ts";

/** The URL of the coordinator of the cluster that LEADGATE_TEST_CITUS leads to. */
export function coordinatorUrl(): string {
  const url = process.env.LEADGATE_TEST_CITUS;
  if (url === undefined) throw new Error("Set LEADGATE_TEST_CITUS to the URL of a cluster's coordinator.");
  return url;
}

/** A node of a cluster whose servers run on this machine. */
export interface Node {
  port: number;
  isCoordinator: boolean;
  /** Processor time of its server so far, in milliseconds. */
  processorMs(): number;
  /** The memory of its own that each of its connections has, in bytes, the least first. */
  memory(): number[];
  /** Kills its server and all its processes with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, and waits until it answers. */
  start(): Promise<void>;
  /** Starts another server with the same settings beside it, with an empty database of the name in `url`, which can become a worker of it. */
  another(url: string): Promise<Another>;
}

/** A server that is there until it is disposed. */
interface Another extends AsyncDisposable {
  host: string;
  port: number;
}

/** Returns the nodes of the cluster. Their servers must be of this machine, and this process must be root. */
export async function nodesOf(coordinator: string): Promise<Node[]> {
  const rows = await sqlOn<{ host: string; port: number; is_coordinator: boolean }>(
    coordinator,
    "SELECT nodename AS host, nodeport AS port, groupid = 0 AS is_coordinator FROM pg_dist_node ORDER BY groupid",
  );
  return await Promise.all(
    rows.map(async ({ host, port, is_coordinator: isCoordinator }) => {
      const url = new URL(coordinator);
      url.host = `${host}:${port}`;
      const [place] = await sqlOn<{ folder: string }>(
        url.href,
        "SELECT current_setting('data_directory') AS folder",
      );
      const folder = place?.folder ?? "";
      const program = dirname(readlinkSync(`/proc/${postmasterOf(folder)}/exe`));
      return {
        port,
        isCoordinator,
        processorMs: () => processorMs(postmasterOf(folder)),
        memory: () => memoryOf(postmasterOf(folder)),
        async kill() {
          const postmaster = postmasterOf(folder);
          // Its processes would end by themselves, but not at once.
          execFileSync("pkill", ["-KILL", "-P", String(postmaster)], { stdio: "ignore" });
          process.kill(postmaster, "SIGKILL");
          await sleep(200);
        },
        start: async () => asPostgres(startOf(program, folder)),
        another: async (of) => await another({ program, folder, host }, of),
      };
    }),
  );
}

function asPostgres(command: string): void {
  execFileSync("su", ["postgres", "-s", "/bin/sh", "-c", command], { cwd: "/", stdio: "ignore" });
}

const startOf = (program: string, folder: string): string =>
  `${join(program, "pg_ctl")} -D '${folder}' -w -l '${folder}.log' start`;

async function another(
  { program, folder, host }: { program: string; folder: string; host: string },
  of: string,
): Promise<Another> {
  const port = await freePort();
  const own = join(dirname(folder), `added-${port}`);
  asPostgres(`${join(program, "initdb")} -D '${own}' -A trust -U postgres -E UTF8 --locale=C.UTF-8`);
  asPostgres(`cp '${folder}'/postgresql*.conf '${own}' && echo 'port = ${port}' >> '${own}/postgresql.conf'`);
  asPostgres(startOf(program, own));
  const server = new URL(of);
  server.host = `${host}:${port}`;
  server.pathname = "/postgres";
  await createDatabase(server.href, new URL(of).pathname.slice(1));
  return {
    host,
    port,
    async [Symbol.asyncDispose]() {
      asPostgres(`${join(program, "pg_ctl")} -D '${own}' -m immediate stop`);
      rmSync(own, { recursive: true, force: true });
      rmSync(`${own}.log`, { force: true });
    },
  };
}

const postmasterOf = (folder: string): number =>
  Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0]);

/** See proc_pid_smaps(5); memory that processes share is left out. */
function memoryOf(postmaster: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && timesOf(name)[0] === postmaster)
    .filter((pid) =>
      / (?:idle|idle in transaction|SELECT|COMMIT)\0*$/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8")),
    )
    .map((pid) => readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))
    .map((text) => 1_024 * Number(/^Pss_Anon:\s+(\d+)/m.exec(text)?.[1] ?? 0))
    .sort((a, b) => a - b);
}

const TICK_MS = 10;

/** Processor time of a process, its children and those that have ended, in milliseconds. */
export function processorMs(postmaster: number): number {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), times: timesOf(pid) }));
  const own = all.find(({ pid }) => pid === postmaster)?.times ?? [];
  const children = all.filter(({ times }) => times[0] === postmaster);
  const ticks = [...own.slice(1), ...children.flatMap(({ times }) => times.slice(1, 3))];
  return TICK_MS * ticks.reduce((sum, n) => sum + n, 0);
}

/** The parent of a process, and its times in ticks: its own and those of its ended children (proc(5), stat). */
function timesOf(pid: string): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [fields[1], ...fields.slice(11, 15)].map(Number);
  } catch {
    return [];
  }
}

/** Runs one statement over a connection of its own. */
export async function sqlOn<R>(url: string, text: string, values: readonly unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ connectionString: url, options: "-c search_path=store,leadgate,public" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as R[];
  } finally {
    await client.end();
  }
}
