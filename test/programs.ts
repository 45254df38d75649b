// What tests need of a machine besides what npm installs. Each is tried once in a process, when a test first asks; what is
// absent or does not work is a reason to skip. Equal reasons have equal texts, since the end of a run counts them.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** Why a test is skipped; false if it runs. */
export type Reason = string | false;

/** What a test throws that finds out only while it runs that this machine cannot run it: it is skipped for that reason. */
export class CannotRun extends Error {}

/** How each program shows that it works. */
const PROGRAMS = {
  bash: ["--version"],
  chrt: ["--version"],
  curl: ["--version"],
  "docker-compose": ["version"],
  haproxy: ["-v"],
  jq: ["--version"],
  nginx: ["-v"],
  openssl: ["version"],
  pgbouncer: ["--version"],
  prometheus: ["--version"],
  promtool: ["--version"],
  psql: ["--version"],
  "redis-server": ["--version"],
  setpriv: ["--version"],
  "systemd-analyze": ["--version"],
  "systemd-sysusers": ["--version"],
  "apt-get": ["--version"],
  buildah: ["--version"],
  "dpkg-deb": ["--version"],
  podman: ["--version"],
} as const satisfies Record<string, readonly string[]>;

/** Where programs are looked for: a user's path lacks the folders of servers. */
export const PATH = [process.env.PATH, "/usr/sbin", "/sbin"].join(delimiter);

const tried = new Map<string, Reason>();

/** Returns the reason, which is found once in this process. */
function once(name: string, attempt: () => Reason): Reason {
  const known = tried.get(name) ?? attempt();
  tried.set(name, known);
  return known;
}

/** Like `once`, but once in a run: its processes share what took a while to find. */
function onceInRun(name: string, attempt: () => Reason): Reason {
  return once(name, () => {
    const ports = process.env.LEADGATE_TEST_PORTS;
    if (ports === undefined) return attempt();
    const file = join(dirname(ports), `tried-${name}`);
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Reason;
    const reason = attempt();
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(reason));
    renameSync(`${file}.${process.pid}`, file);
    return reason;
  });
}

/** Returns why tests that need these programs are skipped: the first one that is absent or does not work. */
export function lacks(...programs: (keyof typeof PROGRAMS)[]): Reason {
  for (const program of programs) {
    const reason = once(program, () => failureOf([program, ...PROGRAMS[program]], program));
    if (reason !== false) return reason;
  }
  return false;
}

/**
 * Runs a program for real; returns why it does not work. `what` names it in "no …" if it is absent, and `fault` precedes
 * the first line that it printed.
 */
export function failureOf(
  [program = "", ...args]: readonly string[],
  what: string,
  { fault = `${what} does not work`, env = {} }: { fault?: string; env?: NodeJS.ProcessEnv } = {},
): Reason {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    env: { ...process.env, PATH, LC_ALL: "C", ...env },
    encoding: "utf8",
    timeout: 60_000,
  });
  if (status === 0) return false;
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOENT") return `no ${what}`;
  return `${fault}: ${firstLine(stderr) || firstLine(stdout) || (error?.message ?? `code ${status}`)}`;
}

/** The first line that is not only a warning, without what varies from run to run. */
export const firstLine = (text: string): string =>
  (text.split("\n").find((line) => line.trim() !== "" && !/^time=".*level=warn/.test(line)) ?? "")
    .replace(/^(Error|error|E): |^npm error code /, "")
    .trim()
    .slice(0, 160);

export const notRoot: Reason = process.getuid?.() === 0 ? false : "needs root";
export const notLinux: Reason = process.platform === "linux" ? false : "needs Linux";

/** The library that makes clocks lie, if it does. */
export const FAKETIME = globSync("/usr/lib/*/faketime/libfaketime.so.1")[0];

/** Returns why no clock can be wrong here. */
export function lacksFaketime(): Reason {
  if (FAKETIME === undefined) return "no libfaketime";
  const env = { LD_PRELOAD: FAKETIME, FAKETIME: "@2001-02-03 04:05:06" };
  return once("faketime", () =>
    failureOf(["sh", "-c", 'test "$(date +%Y)" = 2001'], "sh", { fault: "libfaketime does not work", env }),
  );
}

/** Returns why Chromium cannot be taken offline: without a network it is offline already, and keeps its connections to this machine. */
export const lacksNetwork = (): Reason =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal))
    ? false
    : "no network";

/** Returns why no package can be installed: asked of npm's own registry, or the one that npm is set up for. */
export function lacksRegistry(): Reason {
  return onceInRun("registry", () => {
    // With its usual cache, npm answers from there when it reaches no registry.
    const cache = mkdtempSync(join(tmpdir(), "leadgate-npm-"));
    const words = [
      "view",
      "npm",
      "version",
      "--fetch-retries=0",
      "--fetch-timeout=20000",
      `--cache=${cache}`,
    ];
    const npm = process.platform === "win32" ? ["cmd", "/c", "npm"] : ["npm"];
    const reason = failureOf([...npm, ...words], "npm", { fault: "no npm registry" });
    rmSync(cache, { recursive: true, force: true });
    return reason;
  });
}
