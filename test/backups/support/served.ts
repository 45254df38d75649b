import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ended, ran } from "../../cli/support/leadgate.ts";
import { dataFolder } from "../../embedded/support/rig.ts";
import { freePort } from "../../world.ts";

/** A project with a key, and calls under this key. */
interface Caller {
  projectId: string;
  createLead(name: string): Promise<number>;
  names(): Promise<string[]>;
}

/** A service on its embedded database, in processes of its own. */
export interface Served {
  folder: string;
  dataDir: string;
  authUrl: string;
  baseUrl: string;
  /** Runs a command line for this data folder, or with other settings. */
  leadgate(words: readonly string[], env?: Record<string, string>, input?: string): Promise<Ended>;
  /** The same with `--json`, which must succeed; returns the result. */
  done<T>(words: readonly string[], env?: Record<string, string>): Promise<T>;
  /** Creates a person of this name and a project, and returns a caller with a key of it. */
  caller(name?: string): Promise<Caller>;
  /** Starts serving; another data folder may be served. */
  start(env?: Record<string, string>): Promise<void>;
  /** From now on, the code in this folder runs instead of ours. */
  use(code: string): void;
  end(signal: NodeJS.Signals): Promise<void>;
  /** What the service has logged and printed. */
  printed(): string;
}

export const SECRET = "a passphrase for tests";

/** Prepares a service; `start` begins it. What runs at the end of the test is killed. */
export async function served(t: TestContext): Promise<Served> {
  const folder = dataFolder(t);
  const dataDir = join(folder, "data");
  const [authUrl, baseUrl] = [`http://localhost:${await freePort()}`, `http://localhost:${await freePort()}`];
  const base = {
    PATH: process.env.PATH ?? "",
    DATA_DIR: dataDir,
    AUTH_URL: authUrl,
    BASE_URL: baseUrl,
    LIMITS: '{"api":null}',
    TMPDIR: folder,
  };
  let child: ChildProcess | undefined;
  let code = ".";
  let printed = "";
  const leadgate: Served["leadgate"] = (words, env = {}, input = "") =>
    ran(words, { env: { ...base, LOG_LEVEL: "warn", ...env }, code, input });
  const done: Served["done"] = async <T>(words: readonly string[], env: Record<string, string> = {}) => {
    const ended = await leadgate([...words, "--json"], env);
    if (ended.code === 0) return JSON.parse(ended.out) as T;
    throw new Error(`leadgate ${words.join(" ")} ended with ${ended.code}: ${ended.out}${ended.err}`);
  };
  t.after(() => {
    child?.kill("SIGKILL");
  });
  return {
    ...{ folder, dataDir, authUrl, baseUrl, leadgate, done },
    printed: () => printed,
    use: (folder) => {
      code = folder;
    },
    async caller(name = "ana") {
      const email = `${name}@example.org`;
      const person = ["person", "create", "--email", email, "--name", name, "--password-stdin"];
      const created = await leadgate(person, {}, "a long sentence with horses\n");
      if (created.code !== 0) throw new Error(created.err);
      const owner = ["--owner", email];
      const { id } = await done<{ id: string }>(["project", "create", "--name", "Harbour", ...owner]);
      const permissions = ["--permissions", "leads:read,leads:write"];
      const { key } = await done<{ key: string }>([
        ...["key", "create", "--project", id, "--name", "test", ...permissions],
      ]);
      return callerOf(baseUrl, id, key);
    },
    async start(env = {}) {
      const running = spawn(process.execPath, [join(code, "src/main.ts"), "serve"], {
        env: { ...base, LOG_LEVEL: "info", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = running;
      for (const out of [running.stdout, running.stderr])
        out.on("data", (data: Buffer) => {
          printed += data.toString();
        });
      while (!(await isReady(baseUrl))) {
        if (running.exitCode !== null) throw new Error(`the service ended: ${printed}`);
        await sleep(50);
      }
    },
    async end(signal) {
      if (child === undefined || child.exitCode !== null) return;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
      child = undefined;
    },
  };
}

function callerOf(baseUrl: string, projectId: string, key: string): Caller {
  const send = (path: string, body: object) =>
    fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    projectId,
    createLead: async (name) => (await send("/api/v1/leads", { name })).status,
    async names() {
      const names: string[] = [];
      for (let offset = 0; ; offset += 100) {
        const answer = await send("/api/leads/query", { project_id: projectId, limit: 100, offset });
        const page = (await answer.json()) as { leads?: { name: string }[]; error?: unknown };
        if (page.leads === undefined) throw new Error(JSON.stringify(page));
        names.push(...page.leads.map((lead) => lead.name));
        if (page.leads.length < 100) return names.sort();
      }
    },
  };
}

const isReady = (baseUrl: string): Promise<boolean> =>
  fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Waits until something is true, for as long as a very busy machine may take. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = Date.now() + 420_000; !(await isTrue()); await sleep(100))
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
}
