import type { Socket } from "node:net";
import pg from "pg";

/** A connection was closed by ourselves, because nobody reads what its statement returns. */
export class AbandonedError extends Error {
  override readonly name = "AbandonedError";
}

/** What pg's client knows of its connection; pg's types hide it, but its own pool and stream packages use it. */
interface Inner {
  host: string;
  port: number;
  ssl: pg.ConnectionConfig["ssl"];
  processID: number;
  secretKey: unknown;
  connection: { stream: Socket };
  _activeQuery: unknown;
  _txStatus: string | null;
}

interface CancelConnection {
  stream: Socket;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: unknown): void;
  on(event: "connect" | "sslconnect" | "error" | "end", listener: () => void): void;
}

const innerOf = (client: pg.ClientBase): Inner => client as unknown as Inner;

/** How long a request to cancel a statement may take. */
const CANCEL_MS = 3_000;

/** The connection's socket. */
export const socketOf = (client: pg.ClientBase): Socket => innerOf(client).connection.stream;

/** The process that serves the connection; through a pooler, a number that the pooler made up. */
export const processOf = (client: pg.ClientBase): number => innerOf(client).processID;

/** Whether the server has not answered all statements yet. */
export const isAsking = (client: pg.ClientBase): boolean => Boolean(innerOf(client)._activeQuery);

/** Whether no transaction was open after the last answer. */
export const isOutside = (client: pg.ClientBase): boolean => innerOf(client)._txStatus === "I";

/** Closes a connection without waiting for the server; the query that waits on it fails. */
export function hangUp(client: pg.ClientBase, error: Error): void {
  socketOf(client).destroy(error);
}

/**
 * Asks the server to cancel what the connection is running, by the protocol's own request (54.2.8), which poolers pass on.
 * Does not wait for the result.
 */
export function cancel(client: pg.ClientBase): void {
  const { host, port, ssl, processID, secretKey } = innerOf(client);
  const connection = new pg.Connection({ ssl: ssl ?? false }) as unknown as CancelConnection;
  const timer = setTimeout(() => connection.stream.destroy(), CANCEL_MS);
  timer.unref();
  const send = () => connection.cancel(processID, secretKey);
  connection.on("connect", ssl ? () => connection.requestSsl() : send);
  connection.on("sslconnect", send);
  connection.on("error", () => connection.stream.destroy());
  connection.on("end", () => clearTimeout(timer));
  if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}
