import { lstatSync } from "node:fs";
import { connect, type Socket } from "node:net";
import process from "node:process";
import type { Readable } from "node:stream";
import type { Config } from "../../config/config.ts";
import { givenSettings } from "../../config/examine.ts";
import { type Answer, databaseOf, messagesFrom, type Piece, PROTOCOL, send } from "./messages.ts";
import { folderOf, type Place, placeOf } from "./place.ts";
import type { Terminal } from "./terminal.ts";

interface Wish {
  config: Config;
  words: readonly string[];
  /** The values of its options, which may name files. */
  values: readonly unknown[];
  terminal: Terminal;
  /** The instance gets the settings of this process, too; one that says nothing is left out. */
  examinesSettings: boolean;
}

/** How long an instance that examines settings may say nothing, in milliseconds. */
const SILENT_MS = 25_000;

/**
 * Has the running instance of DATA_DIR perform a command; returns the exit code. Undefined if no instance runs there, or one of
 * another database than DATABASE_URL: the command then uses its own settings.
 */
export async function askInstance({
  config,
  words,
  values,
  terminal,
  examinesSettings,
}: Wish): Promise<number | undefined> {
  const found = await reached(config);
  if (found === undefined) return undefined;
  const { socket, place } = found;
  const inputs = new Map<number, Input>();
  let isSilent = false;
  if (examinesSettings)
    socket.setTimeout(SILENT_MS, () => {
      isSilent = true;
      socket.destroy();
    });
  try {
    const { databaseUrl } = config;
    const database = databaseUrl === undefined ? null : (databaseOf(databaseUrl) ?? "unknown");
    const { DATA_DIR: _found, ...settings } = examinesSettings ? givenSettings() : {};
    send(socket, {
      ...{ protocol: PROTOCOL, words: [...words], database },
      ...(examinesSettings ? { settings } : {}),
    });
    for await (const message of messagesFrom(socket)) {
      const answer = message as Answer;
      if ("elsewhere" in answer) return undefined;
      if ("refused" in answer) throw new Error(answer.refused);
      if ("code" in answer) return answer.code;
      if ("out" in answer) terminal.out(answer.out);
      else if ("err" in answer) terminal.err(answer.err);
      else {
        const { read, path } = answer;
        // Only what the command line names is read, whatever the other side asks for.
        const mayRead = path === undefined || values.includes(path);
        if (mayRead && !inputs.has(read)) inputs.set(read, inputOf(terminal.read(path)));
        // Not awaited: while a person types, the instance may end.
        void nextPiece(read, inputs.get(read)).then((piece) => send(socket, piece));
      }
    }
  } catch (error) {
    if (isSilent) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ECONNRESET" && code !== "EPIPE") throw error;
  } finally {
    for (const { stream } of inputs.values()) stream.destroy();
    socket.destroy();
    place.release();
  }
  throw new Error(
    "The running instance ended while it performed the command. What was done until then stays: check it, then run the command again.",
  );
}

interface Input {
  stream: Readable;
  pieces: AsyncIterator<Buffer>;
}

const inputOf = (stream: Readable): Input => ({ stream, pieces: stream[Symbol.asyncIterator]() });

async function nextPiece(read: number, input: Input | undefined): Promise<Piece> {
  if (input === undefined) return { read, failed: "The command line does not name this file." };
  try {
    const { done, value } = await input.pieces.next();
    return done === true ? { read, end: true } : { read, data: Buffer.from(value).toString("base64") };
  } catch (error) {
    return { read, failed: error instanceof Error ? error.message : String(error) };
  }
}

/** Connects to the instance of DATA_DIR; undefined if there is none. Throws for a user who may not, or if others could answer. */
async function reached({
  dataDir,
  databaseUrl,
}: Config): Promise<{ socket: Socket; place: Place } | undefined> {
  let place: Place | undefined;
  try {
    if (process.platform !== "win32") refuseOpen(folderOf(dataDir));
    place = placeOf(dataDir);
    return { socket: await connected(place.path), place };
  } catch (error) {
    place?.release();
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ECONNREFUSED" || code === "EINVAL")
      return undefined;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    if (databaseUrl !== undefined) return undefined;
    throw new Error(
      `Only root and the user of the service can run commands on ${dataDir}. Run this as one of them, with sudo for example.`,
      { cause: error },
    );
  }
}

/** Refuses a folder that others can enter: somebody else could have made the socket, to read what is sent there. */
function refuseOpen(folder: string): void {
  if ((lstatSync(folder).mode & 0o077) === 0) return;
  throw new Error(
    `Other users can enter ${folder}, so no command is sent there. Restart the service, which closes it to others.`,
  );
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
