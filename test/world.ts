import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Config, readConfig } from "../src/config/config.ts";
import type { Permission, Role } from "../src/core/permission.ts";
import { createPerson } from "../src/domain/accounts/people/create-person.ts";
import { createKey } from "../src/domain/api-keys/create-key.ts";
import { perform } from "../src/domain/operation/operation.ts";
import type { Service } from "../src/domain/operation/service/service.ts";
import { addProject } from "../src/domain/projects/create-project.ts";
import { addMember } from "../src/domain/projects/members/add-member.ts";
import { listen, openService } from "../src/server/start.ts";
import { Browser } from "./browser.ts";
import { atEndOfFile } from "./ends.ts";
import { freshDatabase } from "./template.ts";

/** A person with an account. */
interface PersonActor {
  id: string;
  email: string;
  password: string;
  name: string;
}

/** A program that holds an API key. */
export interface KeyActor {
  id: string;
  text: string;
  send(method: string, path: string, body?: unknown): Promise<Response>;
  query(body: object): Promise<Response>;
}

export interface WorldOptions {
  env?: Record<string, string>;
  /**
   * Configuration that no environment variable sets: how applications' documents are fetched from a test's
   * own network.
   */
  config?: Partial<Config>;
  /** The panel's build, instead of the one in web/dist. */
  panelDir?: string;
  /**
   * A service and a database that no other test uses, although no setting asks for one: for promises about a whole
   * instance, such as what an operator counts, and for tests that change what all projects share.
   */
  alone?: boolean;
}

/** A started service and its database. */
interface Instance extends AsyncDisposable {
  env: Record<string, string>;
  config: Config;
  service: Service;
  databaseUrl: string;
  inspector: pg.Pool;
}

/** The service on free ports, a person who owns a project in it, and ways to add more. */
export interface World extends AsyncDisposable {
  authUrl: string;
  baseUrl: string;
  databaseUrl: string;
  env: Record<string, string>;
  config: Config;
  service: Service;
  person: PersonActor;
  project: { id: string; name: string };
  newPerson(name?: string): Promise<PersonActor>;
  newProject(owner: PersonActor, name?: string): Promise<{ id: string; name: string }>;
  join(person: PersonActor, projectId: string, role: Role): Promise<void>;
  key(permissions?: readonly Permission[], projectId?: string): Promise<KeyActor>;
  /** A client that keeps cookies and does not follow redirects. */
  browser(): Browser;
  /** Returns a browser in which the person has signed in on our page. */
  signedIn(person?: PersonActor): Promise<Browser>;
  /** Queries the database, where a promise is about what is stored. */
  sql<R>(text: string, values?: unknown[]): Promise<R[]>;
}

// Tests call faster than the usual limits allow. Their calls are counted all the same.
const ample = { perMinute: 600_000, burst: 100_000 };
const AMPLE = {
  api: ample,
  mcp: ample,
  token: ample,
  introspect: ample,
  revoke: ample,
  datasetReads: ample,
  datasetWrites: ample,
  datasetImports: ample,
};

/** Tests run next to each other on slow machines: a busy one must not refuse what a test does not expect to be refused. */
const PATIENT = {
  // Behind proxies, an instance that stops would go on for three seconds.
  DRAIN_SECONDS: "0",
  ADMISSION: JSON.stringify({
    inFlight: 1_000,
    perOwner: 1_000,
    waiting: 10_000,
    waitMs: 30_000,
    loopDelayMs: 60_000,
  }),
  TIME_LIMITS: JSON.stringify({ wait: 5, query: 15 }),
};

let people = 0;

/** What the tests of a file share, by the panel's build. */
const shared = new Map<string, Promise<Instance>>();

/**
 * Returns a person and their project in the service that all tests of this file share, or in one of its own where the
 * options ask for settings.
 */
export async function world(options: WorldOptions = {}): Promise<World> {
  const { env, config, panelDir, alone = env !== undefined || config !== undefined } = options;
  if (!alone) return await worldOn(await sharedInstance(panelDir), () => Promise.resolve());
  const instance = await startInstance(options);
  return await worldOn(instance, () => instance[Symbol.asyncDispose]());
}

async function sharedInstance(panelDir: string | undefined): Promise<Instance> {
  const known = shared.get(panelDir ?? "");
  if (known !== undefined) return await known;
  const started = startInstance(panelDir === undefined ? {} : { panelDir });
  shared.set(panelDir ?? "", started);
  atEndOfFile(async () => {
    shared.delete(panelDir ?? "");
    await (await started)[Symbol.asyncDispose]();
  });
  return await started;
}

async function startInstance(options: WorldOptions): Promise<Instance> {
  const database = await freshDatabase();
  const [authPort, apiPort] = await Promise.all([freePort(), freePort()]);
  const dataDir = join(tmpdir(), `leadgate-world-${authPort}`);
  const env: Record<string, string> = {
    AUTH_URL: `http://localhost:${authPort}`,
    BASE_URL: `http://localhost:${apiPort}`,
    DATABASE_URL: database.url,
    SECRET_KEY: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    // For processes of the service, so that none performs the commands of another test.
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env.LEADGATE_TEST_LOG ?? "fatal",
    LIMITS: JSON.stringify({ registration: { perHour: 10_000 }, ...AMPLE }),
    ...PATIENT,
    ...options.env,
  };
  const databaseUrl = env.DATABASE_URL ?? database.url;
  const { panelDir } = options;
  const config = { ...readConfig(env), ...(panelDir === undefined ? {} : { panelDir }), ...options.config };
  const opened = await openService(config);
  const listening = await listen(opened.service, config);
  const inspector = new pg.Pool({
    connectionString: config.databaseDirectUrl ?? databaseUrl,
    max: 2,
    // On a cluster, the views of leadgate show nothing, and triggers of shards have to be asked for.
    options: opened.service.db.isDistributed
      ? "-c search_path=store,leadgate,public -c citus.enable_unsafe_triggers=on"
      : "-c search_path=leadgate,store,public",
  });
  inspector.on("error", () => undefined);
  return {
    ...{ env, config, databaseUrl, inspector },
    service: opened.service,
    async [Symbol.asyncDispose]() {
      await listening.stop();
      await opened.close();
      await inspector.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function worldOn(instance: Instance, end: () => PromiseLike<void>): Promise<World> {
  const { env, config, service, databaseUrl, inspector } = instance;
  const newPerson = async (name = "Ada Moreira"): Promise<PersonActor> => {
    people += 1;
    const fresh = { name, email: `person-${people}@example.org`, password: `correct horse ${people}` };
    return { ...fresh, id: (await createPerson(service.db, { ...fresh, verified: true })).id };
  };
  const newProject = async (owner: PersonActor, name = "Harbour Sales") => {
    const id = await service.db.transaction((tx) => addProject(service, tx, { name, ownerId: owner.id }));
    return { id, name };
  };
  const person = await newPerson();
  const project = await newProject(person);
  const browser = () => new Browser(config.authUrl);

  return {
    authUrl: config.authUrl,
    baseUrl: config.baseUrl,
    databaseUrl,
    env,
    config,
    service,
    person,
    project,
    newPerson,
    newProject,
    browser,
    join: (who, projectId, role) => addMember(service, { projectId, personId: who.id, role }),
    key: async (permissions = ["leads:read"], projectId = project.id) => {
      const made = await perform(
        service,
        createKey,
        { personId: null, projectId },
        { name: "test", permissions },
      );
      return keyActor(config.baseUrl, projectId, made);
    },
    signedIn: async (who = person) => {
      const visitor = browser();
      await visitor.signIn(who);
      return visitor;
    },
    sql: async <R>(text: string, values: unknown[] = []) => (await inspector.query(text, values)).rows as R[],
    [Symbol.asyncDispose]: end,
  };
}

function keyActor(baseUrl: string, projectId: string, made: { id: string; key: string }): KeyActor {
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${made.key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  return {
    id: made.id,
    text: made.key,
    send,
    query: (body) => send("POST", "/api/leads/query/", { project_id: projectId, ...body }),
  };
}

/** The ports below those that systems give to outgoing connections, so that no connection takes one meanwhile. */
const PORTS = { first: 10_240, count: 20_000 };

/** Returns a port that was free just now, and that no other test of this run was given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (!isFirst(port)) continue;
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Whether no test of this run has taken the port: a file of its name says so to all processes. */
function isFirst(port: number): boolean {
  const folder = process.env.LEADGATE_TEST_PORTS;
  if (folder === undefined) return true;
  try {
    writeFileSync(join(folder, String(port)), "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
