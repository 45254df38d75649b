import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { lacks, PATH } from "../../programs.ts";
import { freePort } from "../../world.ts";
import { blockOf } from "./blocks.ts";

const ENV = { PATH, LC_ALL: "C" };

/** Why nothing can run behind these proxies here, or false. */
export const without = { haproxy: lacks("haproxy", "openssl"), nginx: lacks("nginx", "openssl") };

export const WEB = "leads.example.com";
export const API = "api.leads.example.com";

/** The ports of an instance. */
export interface Ports {
  web: number;
  api: number;
}

/** A proxy that runs with a file of deploy/. */
export interface RunningProxy extends AsyncDisposable {
  http: number;
  https: number;
  /** The certificate that its own is signed by. */
  ca: string;
  /** Checks its file by the command of docs/operate/proxy.md; throws if that fails. */
  checked(): void;
  /** Takes an instance (0 or 1) out of use, or back into it, and returns once it is so. */
  use(instance: number, isUsed: boolean): Promise<void>;
}

/** Returns the text with other places; throws if one of them is not in it. */
export function placed(given: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`"${from}" is not in the file`);
    return all.replaceAll(from, to);
  }, given);
}

/** Makes a certificate for both hosts in a folder; returns it. */
function certify(folder: string): string {
  const paths = ["-keyout", join(folder, "leadgate.key"), "-out", join(folder, "leadgate.pem")];
  const names = `subjectAltName=DNS:${WEB},DNS:${API}`;
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...key, "-subj", `/CN=${WEB}`, "-addext", names, ...paths], {
    stdio: "ignore",
  });
  return readFileSync(join(folder, "leadgate.pem"), "utf8");
}

const serversOf = (instances: readonly [Ports, Ports]): Record<string, string> =>
  Object.fromEntries(
    instances.flatMap(({ web, api }, at) => {
      const name = at === 0 ? "leadgate-one" : "leadgate-two";
      return [
        [`${name}:3000`, `127.0.0.1:${web}`],
        [`${name}:3001`, `127.0.0.1:${api}`],
      ];
    }),
  );

/** Starts a program with a folder of its own and waits until it listens. */
async function running(
  program: string,
  args: readonly string[],
  folder: string,
  ports: readonly number[],
): Promise<{ child: ChildProcess; end(): Promise<void> }> {
  const child = spawn(program, args, { env: ENV, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (line: string) => {
    said = (said + line).slice(-2_000);
  });
  const orphan = () => void child.kill("SIGKILL");
  process.once("exit", orphan);
  for (let tries = 0; !(await Promise.all(ports.map(listens))).every(Boolean); tries += 1) {
    if (child.exitCode !== null || tries > 200) throw new Error(`${program} did not start: ${said}`);
    await sleep(50);
  }
  return {
    child,
    async end() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      process.off("exit", orphan);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

/** Starts HAProxy with deploy/haproxy/haproxy.cfg in front of two instances. */
export async function startHaproxy(instances: readonly [Ports, Ports]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-haproxy-"));
  const [http, https] = [await freePort(), await freePort()];
  const socket = join(folder, "admin.sock");
  const certificates = join(folder, "certs");
  mkdirSync(certificates);
  const ca = certify(folder);
  writeFileSync(join(certificates, "leadgate.pem"), ca + readFileSync(join(folder, "leadgate.key"), "utf8"));
  const file = join(folder, "haproxy.cfg");
  const given = readFileSync("deploy/haproxy/haproxy.cfg", "utf8");
  writeFileSync(
    file,
    placed(given, {
      "bind :80": `bind 127.0.0.1:${http}`,
      "bind :443": `bind 127.0.0.1:${https}`,
      "/etc/haproxy/certs/": certificates,
      "/run/haproxy/admin.sock": socket,
      ...serversOf(instances),
    }),
  );
  const { end } = await running("haproxy", ["-db", "-f", file], folder, [http, https]);
  const asked = async (command: string) => {
    const to = connect(socket);
    await once(to, "connect");
    to.write(`${command}\n`);
    return await text(to);
  };
  return {
    ...{ http, https, ca, [Symbol.asyncDispose]: end },
    checked: () => execFileSync("haproxy", ["-c", "-f", file], { env: ENV, stdio: "pipe" }),
    // It asks /readyz itself, so there is nothing to do but to wait for what it has seen.
    async use(instance, isUsed) {
      const name = instance === 0 ? "one" : "two";
      if (!isUsed) return;
      const isUp = async () =>
        (await asked("show stat").catch(() => ""))
          .split("\n")
          .filter((line) => new RegExp(`^\\w+,${name},.*,UP,`).test(line));
      for (let tries = 0; (await isUp()).length < 2; tries += 1) {
        if (tries > 600) throw new Error(`HAProxy did not see ${name} ready within a minute`);
        await sleep(100);
      }
    },
  };
}

/** Starts nginx with deploy/nginx/leadgate.conf in front of two instances. */
export async function startNginx(instances: readonly [Ports, Ports]): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-nginx-"));
  const [http, https] = [await freePort(), await freePort()];
  const ca = certify(folder);
  const [main, site] = [join(folder, "nginx.conf"), join(folder, "leadgate.conf")];
  writeFileSync(
    site,
    placed(readFileSync("deploy/nginx/leadgate.conf", "utf8"), {
      "listen 80 ": `listen 127.0.0.1:${http} `,
      "listen 443 ": `listen 127.0.0.1:${https} `,
      "/etc/nginx/certs": folder,
      ...serversOf(instances),
    }),
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join("\n");
  writeFileSync(
    main,
    `daemon off;\n${process.getuid?.() === 0 ? "user root;\n" : ""}pid ${join(folder, "pid")};\nerror_log stderr;
events { worker_connections 512; }
http { access_log off; ${temporary}\ninclude ${site}; }\n`,
  );
  const { child, end } = await running("nginx", ["-e", "stderr", "-c", main], folder, [http, https]);
  const reload = `nginx -e stderr -c ${main} -s reload`;
  const places = { "nginx -s reload": reload, "/etc/nginx/conf.d/leadgate.conf": site };
  const out = placed(blockOf("proxy.md", "Restart an instance behind nginx"), places);
  const back = placed(blockOf("proxy.md", "Restart an instance behind nginx", 1), places);
  return {
    ...{ http, https, ca, [Symbol.asyncDispose]: end },
    checked: () => execFileSync("nginx", ["-t", "-e", "stderr", "-c", main], { env: ENV, stdio: "pipe" }),
    async use(instance, isUsed) {
      const { web, api } = instances[instance] ?? { web: 0, api: 0 };
      const before = workersOf(child);
      const its = { "leadgate-one:[0-9]*": `127.0.0.1:\\(${web}\\|${api}\\)` };
      execFileSync("sh", ["-ec", isUsed ? back : placed(out, its)], { env: ENV, stdio: "pipe" });
      while (workersOf(child).some((pid) => before.includes(pid))) await sleep(20);
    },
  };
}

/** Returns the pids of nginx's workers that accept connections; one that is shutting down says so in its title. */
function workersOf({ pid }: ChildProcess): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return children.filter((child) => {
    try {
      const title = readFileSync(`/proc/${child}/cmdline`, "utf8");
      return title.includes("worker process") && !title.includes("shutting down");
    } catch {
      return false; // it ended meanwhile
    }
  });
}
