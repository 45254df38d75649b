import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { lacks, PATH } from "../../../test/programs.ts";

/** Why nothing can run behind HAProxy here, or false. */
export const noHaproxy = lacks("haproxy");

/** Both hosts of the service: the ports that HAProxy listens on, and those of the instances behind them. */
export interface Hosts {
  web: number;
  api: number;
}

export interface Haproxy extends AsyncDisposable {
  /** How many servers it sends requests to: one for each host of an instance. */
  up(): Promise<number>;
}

/** Starts HAProxy in front of instances, with the values of deploy/haproxy/haproxy.cfg that matter for a restart. */
export async function startHaproxy(front: Hosts, instances: readonly Hosts[]): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-haproxy-"));
  const [file, socket] = [join(folder, "haproxy.cfg"), join(folder, "stats")];
  writeFileSync(file, configuration(front, instances, socket));
  const child: ChildProcess = spawn("haproxy", ["-db", "-f", file], {
    env: { ...process.env, PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (line: string) => {
    said = (said + line).slice(-2_000);
  });
  const up = async () =>
    (await asked(socket, "show stat")).split("\n").filter((line) => /^[^,]*,i\d+,.*,UP,/.test(line)).length;
  const isListening = () =>
    up().then(
      () => true,
      () => false,
    );
  for (let tries = 0; !(await isListening()); tries += 1) {
    if (child.exitCode !== null || tries > 100) throw new Error(`haproxy did not start: ${said}`);
    await sleep(50);
  }
  return {
    up,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(front: Hosts, instances: readonly Hosts[], socket: string): string {
  const host = (name: keyof Hosts) => `
frontend ${name}
  bind 127.0.0.1:${front[name]}
  default_backend ${name}
backend ${name}
  option httpchk GET /readyz
  http-check expect status 200
${instances.map((ports, i) => `  server i${i} 127.0.0.1:${ports[name]} check\n`).join("")}`;
  return `global
  stats socket ${socket}
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure
  default-server inter 1s fastinter 250ms fall 2 rise 2
${host("web")}${host("api")}`;
}

async function asked(path: string, command: string): Promise<string> {
  const socket = connect(path);
  await once(socket, "connect");
  socket.write(`${command}\n`);
  return await text(socket);
}
