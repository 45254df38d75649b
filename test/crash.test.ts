import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serverProcesses, until } from "../src/db/embedded/host/processes.ts";
import { clusterOf } from "../src/db/embedded/server/cluster.ts";
import { Browser, formOf } from "./browser.ts";
import { kill as end } from "./embedded/support/rig.ts";
import { large } from "./large.ts";
import { freePort } from "./world.ts";

const KILLS = 5;
const REDIRECT = "https://app.example/back";

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** The service as an operator runs it, on its embedded database, which can be killed. */
class Installation {
  readonly env: Record<string, string>;
  #process: ChildProcess | undefined;

  constructor(folder: string, authPort: number, apiPort: number) {
    this.env = {
      PATH: process.env.PATH ?? "",
      DATA_DIR: folder,
      AUTH_URL: `http://localhost:${authPort}`,
      BASE_URL: `http://localhost:${apiPort}`,
      LOG_LEVEL: "fatal",
      LIMITS: '{"registration":null,"token":null}',
    };
  }

  get authUrl(): string {
    return this.env.AUTH_URL ?? "";
  }

  /** Starts it; returns what it printed until it was ready and had said this. */
  async start(said = /Leadgate is ready/): Promise<string> {
    const child = spawn(process.execPath, ["src/main.ts", "serve"], {
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    let printed = "";
    child.stdout.on("data", (data: Buffer) => {
      printed += data.toString();
    });
    child.stderr.on("data", (data: Buffer) => {
      printed += data.toString();
    });
    for (const until = performance.now() + 60_000; performance.now() < until; ) {
      if (child.exitCode !== null) throw new Error(`the service ended: ${printed}`);
      const ready = await fetch(`${this.authUrl}/readyz`).catch(() => undefined);
      if (ready?.status === 200 && said.test(printed)) return printed;
      await sleep(50);
    }
    throw new Error(`the service was not ready within a minute: ${printed}`);
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
    child.kill(signal);
    return await gone;
  }
}

/** Registers an application; `post` can then act as it. */
async function register(authUrl: string): Promise<string> {
  const answer = await fetch(`${authUrl}/api/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ redirect_uris: [REDIRECT] }),
  });
  assert.equal(answer.status, 201);
  return ((await answer.json()) as { client_id: string }).client_id;
}

/** Grants access through the forms, like a person without script. */
async function grant(authUrl: string, clientId: string, browser: Browser): Promise<Tokens> {
  const verifier = randomBytes(32).toString("base64url");
  const wish = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: "code",
    state: "s",
    scope: "mcp:read",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const consent = await formOf(await browser.get(`/oauth/authorize?${wish}`));
  const project = /name="project_id"[^>]*value="([^"]+)"/.exec(consent.page)?.[1] ?? "";
  const back = await browser.post(consent.action, {
    ...consent.hidden,
    project_id: project,
    scope: "mcp:read",
    decision: "approve",
  });
  const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const fields = {
    grant_type: "authorization_code",
    code,
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  };
  const answer = await fetch(`${authUrl}/api/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Tokens;
}

large(
  "kill -9 of the service while tokens are refreshed loses nothing that was acknowledged, and it starts again by itself",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "leadgate-crash-"));
    const the = new Installation(folder, await freePort(), await freePort());
    const post = (path: string, fields: Record<string, string>) =>
      fetch(`${the.authUrl}${path}`, { method: "POST", body: new URLSearchParams(fields) });
    try {
      const link = /\/setup\/\S+/.exec(await the.start(/\/setup\/\S+\n/))?.[0] ?? "";
      const browser = new Browser(the.authUrl);
      const owner = {
        name: "Owner",
        email: "owner@example.org",
        password: "a long enough one",
        project: "Crash",
      };
      assert.equal((await browser.post(link, owner)).status, 303);
      const clientId = await register(the.authUrl);

      for (let kill = 0; kill < KILLS; kill += 1) {
        const chains = await Promise.all(
          [0, 1, 2].map(async () => ({
            tokens: await grant(the.authUrl, clientId, browser),
            waiting: false,
          })),
        );
        let running = true;
        const refreshing = chains.map(async (chain) => {
          while (running) {
            chain.waiting = true;
            const fields = {
              grant_type: "refresh_token",
              refresh_token: chain.tokens.refresh_token,
              client_id: clientId,
            };
            const answer = await post("/api/oauth/token", fields)
              .then((response) => response.json() as Promise<Tokens>)
              .catch(() => undefined);
            if (answer === undefined) return;
            chain.tokens = answer;
            chain.waiting = false;
            await sleep(Math.random() * 10);
          }
        });
        await sleep(50 + Math.random() * 250);
        await the.end("SIGKILL");
        running = false;
        await Promise.all(refreshing);
        await the.start();
        for (const { tokens, waiting } of chains) {
          const state = (await (
            await post("/api/oauth/introspect", { token: tokens.access_token })
          ).json()) as { active: boolean };
          assert.equal(state.active, true, "an acknowledged access token is alive");
          const next = await post("/api/oauth/token", {
            grant_type: "refresh_token",
            refresh_token: tokens.refresh_token,
            client_id: clientId,
          });
          if (!waiting) assert.equal(next.status, 200, "an acknowledged refresh token is the current one");
          else
            assert.ok(
              next.status === 200 || next.status === 400,
              `an unanswered refresh left ${next.status}`,
            );
        }
      }
      assert.equal(await the.end("SIGTERM"), 0, "it drains and ends cleanly");
    } finally {
      await the.end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    }
  },
);

large(
  "kill -9 of service and database at once while many register loses no application that was acknowledged",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "leadgate-crash-"));
    const the = new Installation(folder, await freePort(), await freePort());
    try {
      await the.start();
      const acknowledged: string[] = [];
      for (let kill = 0; kill < 2; kill += 1) {
        let running = true;
        // Many at once, so that their statements share writes to the disk.
        const registering = Array.from({ length: 24 }, async () => {
          while (running) {
            const id = await register(the.authUrl).catch(() => undefined);
            if (id === undefined) return;
            acknowledged.push(id);
          }
        });
        // Enough must be acknowledged to say something about the latest, which takes a slow machine longer.
        const enough = acknowledged.length + 100;
        await Promise.race([until(() => acknowledged.length >= enough, 60_000), Promise.all(registering)]);
        await sleep(Math.random() * 300);
        for (const pid of serverProcesses(clusterOf(folder))) end(pid, "SIGKILL");
        await the.end("SIGKILL");
        running = false;
        await Promise.all(registering);
        await until(() => serverProcesses(clusterOf(folder)).length === 0, 5_000);
        await the.start();
        const known = async (id: string) => {
          const fields = { grant_type: "refresh_token", refresh_token: "none", client_id: id };
          const answer = await fetch(`${the.authUrl}/api/oauth/token`, {
            method: "POST",
            body: new URLSearchParams(fields),
          });
          return ((await answer.json()) as { error: string }).error === "invalid_grant";
        };
        const newest = acknowledged.slice(-100);
        assert.ok(newest.length === 100);
        assert.deepEqual(
          await Promise.all(newest.map(known)),
          newest.map(() => true),
        );
      }
    } finally {
      await the.end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    }
  },
);
