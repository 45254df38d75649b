import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { unprivilegedUser } from "../../../src/db/embedded/host/unprivileged.ts";
import { blockOf } from "../../operate/support/blocks.ts";
import { placed } from "../../operate/support/proxies.ts";
import { lacks, PATH } from "../../programs.ts";
import { freshDatabase } from "../../template.ts";
import { freePort, type World, type WorldOptions, world } from "../../world.ts";

const PROGRAM = "pgbouncer";
const ENV = { PATH, LC_ALL: "C" };

/** Why tests with PgBouncer are skipped, or false. */
export const withoutPgBouncer = lacks(PROGRAM);

/** A PgBouncer in front of a database, which can be killed and started again at the same port. */
export interface Bouncer extends AsyncDisposable {
  /** The URL of the database through it. */
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts a PgBouncer with the file of docs/operate/database.md, and other settings; the last of a name counts. */
export async function bouncerTo(
  direct: string,
  more: Record<string, string | number> = {},
): Promise<Bouncer> {
  const { port: serverPort, username, password, pathname } = new URL(direct);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "leadgate-pgbouncer-"));
  const [ini, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
  const page = placed(blockOf("database.md", "Behind PgBouncer"), {
    "leadgate = host=127.0.0.1 port=5432": `${pathname.slice(1)} = host=127.0.0.1 port=${serverPort}`,
    "listen_port = 6432": `listen_port = ${port}`,
    "/etc/pgbouncer/userlist.txt": users,
  });
  const others = Object.entries({ unix_socket_dir: "", ...more }).map(
    ([name, value]) => `${name} = ${value}\n`,
  );
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(ini, page + others.join(""));
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const as = process.getuid?.() === 0 ? await unprivilegedUser() : {};
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child?.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  };
  const start = async () => {
    child = spawn(PROGRAM, [ini], { env: ENV, cwd: "/", stdio: "ignore", ...as });
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error("pgbouncer ended before it was ready");
      await sleep(20);
    }
  };
  // A failed test may end its process without disposing of anything.
  const orphan = () => void child?.kill("SIGKILL");
  process.once("exit", orphan);
  await start();
  const url = new URL(direct);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    ...{ url: url.href, start, kill },
    async [Symbol.asyncDispose]() {
      await kill();
      process.off("exit", orphan);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

/** A world behind PgBouncer. */
export interface PooledWorld extends AsyncDisposable {
  the: World;
  bouncer: Bouncer;
  direct: string;
}

export async function pooledWorld(
  settings: Record<string, string | number> = {},
  options: WorldOptions = {},
): Promise<PooledWorld> {
  const database = await freshDatabase();
  const bouncer = await bouncerTo(database.url, settings);
  const page = placed(blockOf("database.md", "Behind PgBouncer", 1), {
    "postgres://leadgate:password@127.0.0.1:6432/leadgate": bouncer.url,
    "postgres://leadgate:password@127.0.0.1:5432/leadgate": database.url,
  });
  const env = { ...options.env, ...(parseEnv(page) as Record<string, string>) };
  const the = await world({ ...options, env }).catch(async (error: unknown) => {
    await bouncer[Symbol.asyncDispose]();
    throw error;
  });
  return {
    ...{ the, bouncer, direct: database.url },
    async [Symbol.asyncDispose]() {
      await the[Symbol.asyncDispose]();
      await bouncer[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}
