import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { Config } from "../../config/config.ts";
import { type ExaminedSettings, examineSettings } from "../../config/examine.ts";
import { within } from "../../core/within.ts";
import { tryLock } from "../../db/embedded/host/owner-lock.ts";
import { RELEASE } from "../../db/migration/release.ts";
import type { Opened } from "../../server/start.ts";
import {
  type Act,
  type Answer,
  type Asked,
  databasesOf,
  messagesFrom,
  type Piece,
  PROTOCOL,
  send,
} from "./messages.ts";
import { folderOf, placeOf, socketIn } from "./place.ts";

/** What the thread of a command receives. */
export interface ThreadData {
  words: string[];
  config: Config;
  /** The settings of the instance with those of the client, for a command that examines settings. */
  examined: ExaminedSettings | undefined;
}

/** The socket of an instance. `stop` waits for commands that run, for so long, and ends the others. */
export interface Answering {
  stop(ms: number): Promise<void>;
}

/** How many commands an instance performs at once. */
const MOST = 8;
/** A command does one thing after another; an import also holds a lock, and reads while it writes. */
const CONNECTIONS = 4;
/** How long a client may take to send its command line. */
const ASK_MS = 5_000;
/** When an instance tries again to take the socket of another one, which may have ended. */
const AGAIN_MS = 1_000;
/** As for imports: a long file makes garbage, for which the heap of the process shall not grow. */
const HEAP = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 };

/**
 * Performs the commands of clients that can open the socket in DATA_DIR, each in a thread with its own heap and connections. Of
 * several instances with one DATA_DIR, one has the socket; when it ends, another one takes it.
 */
export async function answerCommands(
  config: Config,
  { service, databaseUrl }: Pick<Opened, "service" | "databaseUrl">,
): Promise<Answering> {
  const { log } = service;
  const connections = { ...config.connections, requests: Math.min(config.connections.requests, CONNECTIONS) };
  const own: Config = { ...config, databaseUrl, connections };
  const databases = databasesOf(config);
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isClosed = false;
  let held: (() => Promise<void>) | undefined;
  let timer: NodeJS.Timeout | undefined;

  const converse = async (socket: Socket) => {
    const messages = messagesFrom(socket);
    const slow = setTimeout(() => socket.destroy(), ASK_MS).unref();
    const asked = readAsked((await messages.next()).value);
    clearTimeout(slow);
    if (asked === undefined) throw new Error("it sent no command line");
    const { words, protocol, database, settings } = asked;
    if (protocol !== PROTOCOL) return dismiss(socket, { refused: OTHER_RELEASE });
    if (database !== null && !databases.includes(database)) return dismiss(socket, { elsewhere: true });
    if (isClosed) return dismiss(socket, { refused: STOPPING });
    if (running.size >= MOST) return dismiss(socket, { refused: BUSY });
    const data: ThreadData = {
      ...{ words, config: { ...own, secretKeys: service.config.secretKeys } },
      examined: settings && examineSettings(settings),
    };
    const work = perform(socket, messages, data, stopping.signal).then(
      ({ code, ms }) => log.info({ command: words.slice(0, 2).join(" "), code, ms }, "a command has ended"),
      (error: unknown) => {
        log.warn({ err: error }, "a command could not be performed");
        dismiss(socket, { refused: "The running instance could not perform the command; its log says why." });
      },
    );
    running.add(work);
    await work;
    running.delete(work);
  };
  const hold = async () => {
    try {
      held = await listening(config.dataDir, (socket) => {
        socket.on("error", () => undefined);
        converse(socket).catch((error: unknown) => {
          socket.destroy();
          log.warn({ err: error }, "a client of the socket for commands was refused");
        });
      });
      if (isClosed) await held?.();
      else if (held === undefined) timer = setTimeout(() => void hold(), AGAIN_MS).unref();
    } catch (error) {
      log.warn(
        { err: error },
        `this instance performs no commands: it cannot make a socket in ${config.dataDir}`,
      );
    }
  };
  await hold();
  return {
    async stop(ms) {
      isClosed = true;
      clearTimeout(timer);
      await held?.();
      await within(ms, Promise.all(running));
      stopping.abort();
      await Promise.all(running);
    },
  };
}

const BUSY = `The running instance performs ${MOST} other commands. Run this one again when one of them has ended.`;
const STOPPING = "The running instance is stopping. Run this again when it has started.";
const OTHER_RELEASE = `The running instance is of the release ${RELEASE}, which does not understand this one. Restart the service.`;

/** Takes the socket; returns a function that stops listening. Undefined while another process has the socket. */
async function listening(
  dataDir: string,
  onClient: (socket: Socket) => void,
): Promise<(() => Promise<void>) | undefined> {
  const folder = folderOf(dataDir);
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const lock = tryLock(folder);
  if (lock === undefined) return undefined;
  const isPipe = process.platform === "win32";
  const place = placeOf(dataDir);
  const end = () => {
    place.release();
    lock.release();
  };
  try {
    // Left by a process that was killed.
    if (!isPipe) rmSync(socketIn(folder), { force: true });
    const server = await opened(place.path, onClient);
    if (!isPipe) chmodSync(socketIn(folder), 0o600);
    return () =>
      new Promise((resolve) => {
        server.close(() => undefined);
        end();
        resolve();
      });
  } catch (error) {
    end();
    throw error;
  }
}

function opened(path: string, onClient: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(onClient);
    server.once("error", reject);
    server.listen(path, () => resolve(server));
  });
}

/** Reads what a client sends first; undefined if it is no command line. */
function readAsked(message: unknown): Asked | undefined {
  const { protocol, words, database, settings } = (message ?? {}) as Partial<Asked>;
  if (typeof protocol !== "number" || !Array.isArray(words)) return undefined;
  if (!words.every((word) => typeof word === "string")) return undefined;
  if (!Object.values(settings ?? {}).every((value) => typeof value === "string")) return undefined;
  const known = settings === undefined ? {} : { settings: { ...settings } };
  return { protocol, words, ...known, database: typeof database === "string" ? database : null };
}

/** Sends a client away with its only answer. */
function dismiss(socket: Socket, answer: Answer): void {
  send(socket, answer);
  socket.destroySoon();
}

/** Performs a command in a thread, which ends with its client or its instance. Returns the exit code and the time. */
async function perform(
  socket: Socket,
  messages: AsyncGenerator<unknown>,
  workerData: ThreadData,
  signal: AbortSignal,
): Promise<{ code: number | undefined; ms: number }> {
  const began = performance.now();
  const worker = new Worker(new URL("../command-thread.ts", import.meta.url), {
    ...{ workerData, resourceLimits: HEAP, env: {} },
  });
  const { promise: over, resolve, reject } = Promise.withResolvers<number | undefined>();
  const asked = new Set<number>();
  worker.on("message", (act: Act) => {
    if ("code" in act) return resolve(act.code);
    if ("read" in act) asked.add(act.read);
    send(socket, act);
  });
  worker.once("error", reject);
  worker.once("exit", () => resolve(undefined));
  signal.addEventListener("abort", () => resolve(undefined), { once: true });
  const pass = async () => {
    for await (const message of messages) {
      const piece = message as Piece;
      if (!asked.delete(piece.read)) return;
      worker.postMessage(piece);
    }
  };
  const gone = () => resolve(undefined);
  pass().then(gone, gone);
  const code = await over.finally(() => worker.terminate());
  if (code !== undefined) send(socket, { code });
  socket.end();
  // Its client closes the connection when it has read the exit code.
  setTimeout(() => socket.destroy(), ASK_MS).unref();
  return { code, ms: Math.round(performance.now() - began) };
}
