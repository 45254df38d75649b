import type { ServerResponse } from "node:http";
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

const SAMPLE_MS = 500;

/** The answers that have not ended, and since when each had something that its client did not take; see `sample`. */
const open = new Map<RequestAccount, { response: ServerResponse; since: number | undefined }>();

/** How many answers have waited for their clients to read for half a second or longer. */
export const unread = (): number =>
  [...open.values()].filter(({ since }) => since !== undefined && performance.now() - since >= SAMPLE_MS)
    .length;

let sampling: NodeJS.Timeout | undefined;

/** Adds the time in which clients did not take what was sent, in steps of half a second. */
function sample(): void {
  const now = performance.now();
  for (const [account, each] of open) {
    const { response } = each;
    if (!response.writableNeedDrain && !(response.socket?.writableNeedDrain ?? false)) each.since = undefined;
    else {
      if (each.since !== undefined) account.unreadMs += SAMPLE_MS;
      each.since ??= now;
    }
  }
  if (open.size > 0) return;
  clearInterval(sampling);
  sampling = undefined;
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

/** The status in the log of a request whose client hung up before the answer began; nginx has it, too. */
const HUNG_UP = 499;

/** What is known of a request when its response is closed. */
interface Closed {
  status: number;
  hung_up: true | undefined;
  address: string;
  bytes_in: number;
  bytes_out: number;
}

/** Reads it; the bytes are what the connection has passed since its last request. */
function closedIn({ raw: { socket }, ip }: FastifyRequest, response: ServerResponse): Closed {
  const before = passed.get(socket);
  const now = { read: socket.bytesRead, written: socket.bytesWritten };
  passed.set(socket, now);
  return {
    status: response.headersSent ? response.statusCode : HUNG_UP,
    hung_up: response.writableFinished ? undefined : true,
    address: ip,
    bytes_in: now.read - (before?.read ?? 0),
    bytes_out: now.written - (before?.written ?? 0),
  };
}

/** How an owner begins that is a project; see ownerOf. */
const PROJECT = "project ";

/** Starts to note what a request does; its lines are written when it is over. */
export function beginAccount(
  logs: Logs,
  listener: string,
  request: FastifyRequest,
  { raw: response }: FastifyReply,
): void {
  /** Read when the response is closed: to a handler that works on, it looks as if its answer were sent. */
  let closed: Closed | undefined;
  const named = () => ({
    listener,
    method: request.method,
    route: request.routeOptions.url,
    ...closed,
    trace_id: request.traceId ?? undefined,
  });
  sampling ??= setInterval(sample, SAMPLE_MS).unref();
  const account = new RequestAccount(() => {
    // What is refused before its credential is checked, such as for overload, is known by its earlier requests.
    const project = request.owner?.startsWith(PROJECT) ? request.owner.slice(PROJECT.length) : undefined;
    logs.ended(account, { log: request.log, named, project, message: "answered" });
  });
  request.account = account;
  open.set(account, { response, since: undefined });
  response.once("close", () => {
    closed = closedIn(request, response);
    open.delete(account);
    account.close();
  });
}
