import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Browser } from "../../browser.ts";
import { freePort, type KeyActor, type World, type WorldOptions, world } from "../../world.ts";

/** A line of a log. */
export type Line = Record<string, unknown>;

/** A process of the service whose log the test reads. */
export interface Logging extends AsyncDisposable {
  the: World;
  child: ChildProcess;
  /** What was logged so far; throws for a line that is not JSON. */
  lines(): Line[];
  /** The log as text. */
  text(): string;
  /** Waits for a line that fits, the first behind those that were there before. */
  line(fits: (line: Line) => boolean, behind?: number): Promise<Line>;
  /** Waits for the line of a request, by its id in the answer. */
  lineOf(answer: Response): Promise<Line>;
  key: World["key"];
}

/** Starts a process of the service with these settings, on the database of a world that itself only serves the web host. */
export async function logging(
  env: Record<string, string> = {},
  options: WorldOptions = {},
): Promise<Logging> {
  const home = await world({ ...options, env: { ...options.env, ROLE: "web" } });
  const [auth, api] = [await freePort(), await freePort()];
  const [authUrl, baseUrl] = [`http://localhost:${auth}`, `http://localhost:${api}`];
  const child = spawn(process.execPath, ["src/main.ts", "serve"], {
    env: {
      ...{ PATH: process.env.PATH ?? "", ...home.env, AUTH_URL: authUrl, BASE_URL: baseUrl, ROLE: "all" },
      ...{ LOG_LEVEL: "info", ...env },
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let logged = "";
  child.stderr.on("data", (data: Buffer) => {
    logged += data.toString();
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const isUp = async () => {
    // One listener opens after the other.
    const answers = [authUrl, baseUrl].map((url) =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return (await Promise.all(answers)).every((ok) => ok);
  };
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(logged);
    await sleep(30);
  }
  const lines = (): Line[] =>
    logged
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const line: Logging["line"] = async (fits, behind = 0) => {
    for (;;) {
      const found = lines().slice(behind).find(fits);
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(logged);
      await sleep(20);
    }
  };
  const browser = () => new Browser(authUrl);
  const the: World = {
    ...{ ...home, authUrl, baseUrl, browser },
    signedIn: async (who = home.person) => {
      const visitor = browser();
      await visitor.signIn(who);
      return visitor;
    },
  };
  return {
    ...{ the, child, lines, line },
    text: () => logged,
    lineOf: (answer) => {
      const id = answer.headers.get("x-request-id");
      return line(({ reqId, msg }) => reqId === id && msg === "answered");
    },
    async key(permissions, projectId = home.project.id) {
      const made = await home.key(permissions, projectId);
      const send: KeyActor["send"] = (method, path, body) =>
        fetch(`${baseUrl}${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${made.text}`,
            ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      const query: KeyActor["query"] = (body) =>
        send("POST", "/api/leads/query/", { project_id: projectId, ...body });
      return { ...made, send, query };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await gone;
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Returns the line's parts that add up to at most its whole, in milliseconds. */
export function partsOf(line: Line): { parts: number; whole: number } {
  const [queue, wait, database, whole] = ["queue_ms", "wait_ms", "database_ms", "ms"].map((name) =>
    Number(line[name]),
  );
  return {
    parts: (queue ?? Number.NaN) + (wait ?? Number.NaN) + (database ?? Number.NaN),
    whole: whole ?? 0,
  };
}
