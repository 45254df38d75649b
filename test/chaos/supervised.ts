import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { signal } from "./ground.ts";
import type { Target } from "./recorder.ts";

export type Role = "all" | "web" | "api" | "worker";

const AGAIN_MS = 200;

/** A process of the service, started again when it ends, as a supervisor does. */
export class Supervised {
  readonly name: string;
  readonly role: Role;
  readonly target: Target;
  /** Read at each start. */
  readonly env: Record<string, string>;
  readonly #folder: string;
  readonly #log: string;
  readonly #onDeath: (how: string) => void;
  #child: ChildProcess | undefined;
  #isWanted = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: {
    name: string;
    role: Role;
    folder: string;
    ports: [web: number, api: number];
    env: Record<string, string>;
    log: string;
    onDeath(how: string): void;
  }) {
    const [web, api] = options.ports;
    this.name = options.name;
    this.role = options.role;
    this.#folder = options.folder;
    this.#log = options.log;
    this.#onDeath = options.onDeath;
    this.target = {
      name: options.name,
      apiUrl: `http://localhost:${api}`,
      webUrl: `http://localhost:${web}`,
    };
    this.env = { ...options.env, AUTH_PORT: String(web), API_PORT: String(api), ROLE: options.role };
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    this.#isWanted = true;
    let isReady = false;
    const child = spawn(process.execPath, ["src/main.ts", "serve"], {
      cwd: this.#folder,
      env: { PATH: process.env.PATH ?? "", ...this.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    child.stdout.on("data", (data: Buffer) => {
      if (data.includes("Leadgate is ready")) isReady = true;
    });
    child.stderr.on("data", (data: Buffer) => appendFileSync(this.#log, data));
    child.once("exit", (code, killer) => {
      if (!this.#isWanted || this.#child !== child) return;
      // Before it is ready it may give up, since its database may be away.
      if (isReady) this.#onDeath(killer ?? `code ${code}`);
      void sleep(AGAIN_MS).then(() => {
        if (this.#isWanted && this.#child === child) this.start();
      });
    });
  }

  /** Ends it; returns when it is gone. */
  async end(by: "SIGKILL" | "SIGTERM"): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    signal(child.pid, by);
    await gone;
  }

  /** Does work after the work before it: a process is not started twice at once. */
  inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Whether it answers that it is ready; a worker says so on its API port. */
  async isReady(): Promise<boolean> {
    const { webUrl, apiUrl } = this.target;
    const asked = { all: [webUrl, apiUrl], web: [webUrl], api: [apiUrl], worker: [apiUrl] }[this.role];
    const answers = await Promise.all(
      asked.map((url) =>
        fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
          async (answer) => {
            await answer.arrayBuffer();
            return answer.status === 200;
          },
          () => false,
        ),
      ),
    );
    return answers.every(Boolean);
  }
}
