import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Account } from "../../observe/log/account.ts";
import type { Logs } from "../../observe/log/logs.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the request does, for the logs; null if there are none. */
    account: RequestAccount | null;
  }
}

/** What a request does. It is over when its response is closed and its work has ended, which a hung-up client does not wait for. */
class RequestAccount extends Account {
  readonly #over: () => void;
  /** The response, and the handler while it works. */
  #open = 1;

  constructor(over: () => void) {
    super();
    this.#over = over;
  }

  /** The body has arrived. */
  arrived(): void {
    this.arrivedAt = performance.now();
  }

  /** The request has waited this long for a slot of the process. */
  queued(ms: number): void {
    this.queueMs = ms;
  }

  /** The handler begins. */
  hold(): void {
    this.#open += 1;
  }

  /** The handler has ended. */
  answered(): void {
    this.answeredAt ??= performance.now();
    this.close();
  }

  close(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#over();
  }
}

/** What a connection had passed when its latest request was over. */
const passed = new WeakMap<Socket, { read: number; written: number }>();

/** Returns what a connection has passed since the last call. */
function bytesPassed(socket: Socket): object {
  const before = passed.get(socket) ?? { read: 0, written: 0 };
  const now = { read: socket.bytesRead, written: socket.bytesWritten };
  passed.set(socket, now);
  return { bytes_in: now.read - before.read, bytes_out: now.written - before.written };
}

/** How an owner begins that is a project; see ownerOf. */
const PROJECT = "project ";

/** The status in the log of a request whose client hung up before the answer began; nginx has it, too. */
const HUNG_UP = 499;

/** Starts to note what a request does; its lines are written when it is over. */
export function beginAccount(
  logs: Logs,
  listener: string,
  request: FastifyRequest,
  { raw: response }: FastifyReply,
): void {
  const { socket } = request.raw;
  /** Read when the response is closed: to a handler that works on, it looks as if its answer were sent. */
  let closed: object | undefined;
  const named = () => ({
    // What is refused before its credential is checked, such as for overload, is known by its earlier requests.
    ...(request.owner?.startsWith(PROJECT) ? { project: request.owner.slice(PROJECT.length) } : {}),
    listener,
    method: request.method,
    route: request.routeOptions.url,
    ...closed,
    ...(request.traceId === null ? {} : { trace_id: request.traceId }),
  });
  const account = new RequestAccount(() =>
    logs.ended(account, { log: request.log, named, message: "answered" }),
  );
  request.account = account;
  response.once("close", () => {
    closed = {
      status: response.headersSent ? response.statusCode : HUNG_UP,
      ...(response.writableFinished ? {} : { hung_up: true }),
      address: request.ip,
      ...bytesPassed(socket),
    };
    account.close();
  });
}
