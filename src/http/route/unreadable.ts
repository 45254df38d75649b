import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { newId } from "../../core/id.ts";

type GivenUp = readonly [status: number, code: string, message: string];

const LATE: GivenUp = [408, "timeout", "The request did not arrive completely in time."];
const LARGE: GivenUp = [431, "headers_too_large", "The URL and the headers are larger than 16 KB."];
const NONE: GivenUp = [400, "malformed", "The request is not valid HTTP."];

/** Answers what node's parser gave up on, before there was a request. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const { code } = error;
  giveUp(socket, code === "ERR_HTTP_REQUEST_TIMEOUT" ? LATE : code === "HPE_HEADER_OVERFLOW" ? LARGE : NONE);
}

/** Answers a request whose body did not come whole in time. */
export const answerLate = (socket: Socket, requestId: string): void => giveUp(socket, LATE, requestId);

/**
 * In the common envelope: no address is known, and so no dialect. The connection ends, as where the next request would
 * begin is not known either.
 */
function giveUp(socket: Socket, [status, code, message]: GivenUp, id: string = newId("req")): void {
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
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
