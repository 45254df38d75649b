import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { lacks } from "../../programs.ts";
import { freePort } from "../../world.ts";

const PROGRAM = "redis-server";

/** Why tests with Redis are skipped here, or false. */
export const noRedis = lacks(PROGRAM);

/** A test's own Redis without persistence; it can be hung, resumed, killed and restarted. */
export interface OwnRedis extends AsyncDisposable {
  url: string;
  hang(): void;
  wake(): void;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async () => {
    const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    server = spawn(PROGRAM, flags, { stdio: "ignore" });
    for (let tries = 0; !(await answers(port)); tries += 1) {
      if (tries > 100) throw new Error("redis-server did not start");
      await sleep(50);
    }
  };
  const kill = async () => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: () => void server?.kill("SIGSTOP"),
    wake: () => void server?.kill("SIGCONT"),
    kill,
    start,
    [Symbol.asyncDispose]: kill,
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.once("error", () => end(false));
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (data) => end(data.toString().startsWith("+PONG")));
  });
