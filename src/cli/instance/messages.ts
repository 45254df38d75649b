import type { Socket } from "node:net";
import type { Config } from "../../config/config.ts";

/** Both sides send lines of JSON. An instance refuses clients of another protocol. */
export const PROTOCOL = 1;
/** A line has at most one piece of a file (64 KB in base64), or the words of a command line. */
const LONGEST = 1_048_576;

/** What a client sends first. */
export interface Asked {
  protocol: number;
  words: string[];
  /** The database of its own settings, see `databaseOf`; null if they name none. */
  database: string | null;
  /** The settings of its own, for a command that examines settings. */
  settings?: Record<string, string>;
}

/** What a client sends then: the next piece of an input in base64, its end, or why it cannot be read. */
export interface Piece {
  read: number;
  data?: string;
  end?: true;
  failed?: string;
}

/** What a command does: prints, asks for the next piece of a file or (without a path) of standard input, ends. */
export type Act = { out: string } | { err: string } | { read: number; path?: string } | { code: number };

/** What an instance sends: what the command does, or that it does not perform it. */
export type Answer = Act | { refused: string } | { elsewhere: true };

export const send = (socket: Socket, message: Asked | Piece | Answer): void =>
  void (socket.writable && socket.write(`${JSON.stringify(message)}\n`));

/** Yields what the other side sends. Throws for a line that is too long or not JSON; the socket is then destroyed. */
export async function* messagesFrom(socket: Socket): AsyncGenerator<unknown> {
  let rest = "";
  socket.setEncoding("utf8");
  for await (const chunk of socket) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST) throw new Error(`a line is longer than ${LONGEST} characters`);
    for (const line of lines) yield JSON.parse(line) as unknown;
  }
}

/** Names a database by its server and its name, without user and password; undefined for a URL that has no such names. */
export function databaseOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const { searchParams, hostname, port, pathname } = parsed;
  return `${(searchParams.get("host") ?? hostname).toLowerCase()}:${(searchParams.get("port") ?? port) || "5432"}${pathname}`;
}

/** The databases that settings name: by DATABASE_URL and by DATABASE_DIRECT_URL. */
export const databasesOf = ({ databaseUrl, databaseDirectUrl }: Config): (string | undefined)[] =>
  [databaseUrl, databaseDirectUrl].filter((url) => url !== undefined).map(databaseOf);
