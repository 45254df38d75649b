import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { newId } from "../../core/id.ts";

type GivenUp = readonly [status: number, code: string, message: string];

const LATE: GivenUp = [408, "timeout", "The request did not arrive completely in time."];
const LARGE: GivenUp = [431, "headers_too_large", "The URL and the headers are larger than 16 KB."];
const NONE: GivenUp = [400, "malformed", "The request is not valid HTTP."];

/** Headers of every answer of a host. */
export type HostHeaders = Readonly<Record<string, string>>;

/** Returns what answers requests that node's parser rejected. */
export const answerUnreadable =
  (headers: HostHeaders) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    const { code } = error;
    const late = code === "ERR_HTTP_REQUEST_TIMEOUT";
    giveUp(socket, headers, late ? LATE : code === "HPE_HEADER_OVERFLOW" ? LARGE : NONE);
  };

/** Answers a request whose body was not complete in time. */
export const answerLate = (socket: Socket, headers: HostHeaders, requestId: string): void =>
  giveUp(socket, headers, LATE, requestId);

/**
 * Answers in the common envelope: the URL is unknown, and so is the dialect. The connection is closed, as the
 * start of the next request is unknown too.
 */
function giveUp(
  socket: Socket,
  headers: HostHeaders,
  [status, code, message]: GivenUp,
  id: string = newId("req"),
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: { code, message, details: [] }, request_id: id });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    "Connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
