import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "../../template.ts";
import { freePort } from "../../world.ts";

/** Where a machine reaches the registry only with certificates of its own, it names them here. */
const CERTIFICATES: Record<string, string> =
  process.env.NODE_EXTRA_CA_CERTS === undefined
    ? {}
    : { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS };

/** A service that was started by a command line, as an operator does it. */
export interface Started extends AsyncDisposable {
  /** The process of the command line, which leads a process group of its own. */
  child: ChildProcess;
  authUrl: string;
  baseUrl: string;
  /** Its environment, for commands that use the same database. */
  env: Record<string, string>;
  /** What the command line printed. */
  printed(): string;
  /** Resolves with its exit code, or with the signal that ended it, once all that it started has closed its output. */
  ended: Promise<number | NodeJS.Signals>;
  /** The ids of the processes of its group that still run. */
  left(): number[];
}

/** Starts a command line and waits until the service is ready, for `minutes` at most (2). */
export async function start(
  command: readonly [string, ...string[]],
  options: { cwd?: string; path?: string; env?: Record<string, string>; minutes?: number } = {},
): Promise<Started> {
  const database = await freshDatabase();
  const [auth, api] = [await freePort(), await freePort()];
  const [authUrl, baseUrl] = [`http://localhost:${auth}`, `http://localhost:${api}`];
  const [program, ...words] = command;
  const dataDir = await mkdtemp(join(tmpdir(), "leadgate-started-"));
  const env = {
    PATH: options.path ?? process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    ...CERTIFICATES,
    AUTH_URL: authUrl,
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    SECRET_KEY: "0123456789abcdef0123456789abcdef",
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    ...options.env,
  };
  const { cwd, minutes = 2 } = options;
  const child = spawn(program, words, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data: Buffer) => {
      printed += data.toString();
    });
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const left = () => groupOf(child.pid ?? 0);
  const isReady = async () => (await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.ok === true;
  for (const until = performance.now() + minutes * 60_000; !(await isReady()); await sleep(50)) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`${command.join(" ")} was not ready: ${printed}`);
  }
  return {
    child,
    authUrl,
    baseUrl,
    env,
    printed: () => printed,
    ended,
    left,
    async [Symbol.asyncDispose]() {
      for (const id of left()) process.kill(id, "SIGKILL");
      await ended;
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Returns the ids of the processes of a group, from /proc. Zombies do not count. */
function groupOf(leader: number): number[] {
  const ids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return ids.filter((id) => {
    try {
      // behind the name, which may contain spaces: state, parent, group
      const [state, , group] = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      return state !== "Z" && Number(group) === leader;
    } catch {
      return false;
    }
  });
}

/** A request whose body is only half sent, so that the service is at work on it until `finish` sends the rest. */
export async function halfSent(url: string): Promise<{ finish(): Promise<string> }> {
  const { port, host } = new URL(url);
  const body = JSON.stringify({ redirect_uris: ["https://app.example/back"] });
  const socket = connect(Number(port), "localhost");
  await once(socket, "connect");
  let answer = "";
  socket.on("data", (data: Buffer) => {
    answer += data.toString();
  });
  socket.write(
    `POST /api/oauth/register HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  // The service has read the head once it asks for the body.
  while (!answer.includes("100 Continue")) await once(socket, "data");
  socket.write(body.slice(0, 10));
  return {
    async finish() {
      socket.write(body.slice(10));
      await once(socket, "close");
      return answer.replace(/^.*100 Continue\r\n\r\n/s, "");
    },
  };
}
