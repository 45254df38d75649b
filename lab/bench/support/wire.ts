import { createConnection, type Socket } from "node:net";

/** A response; its body is decoded only on demand. */
export class Answer {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly #parts: readonly Buffer[];

  constructor(status: number, head: string, parts: readonly Buffer[]) {
    this.status = status;
    this.head = head;
    this.#parts = parts;
  }

  get body(): string {
    return Buffer.concat(this.#parts).toString("utf8");
  }
}

/**
 * One keep-alive connection that sends one request at a time: minimal HTTP/1.1, so that a load measures the
 * server rather than the client.
 */
export class Wire {
  readonly #socket: Socket;
  /** The bytes received of a response whose head is incomplete, or that ends with its last chunk. */
  #received: Buffer = NOTHING;
  /** A response of known length in progress, whose parts need not be concatenated. */
  #coming: { status: number; head: string; parts: Buffer[]; left: number } | undefined;
  #settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (data) => this.#take(data));
    socket.on("error", (error) => this.#settle?.reject(error));
    socket.on("close", () => this.#settle?.reject(new Error("the server closed the connection")));
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host: "127.0.0.1", port });
      socket.once("error", reject);
      socket.once("connect", () => resolve(new Wire(socket)));
    });
  }

  /** Posts a form, or a body of another `type`; without a body it sends a GET. */
  ask(path: string, body: string | undefined, headers = "", type = FORM): Promise<Answer> {
    if (body !== last.body || headers !== last.headers || path !== last.path || type !== last.type) {
      const content =
        body === undefined ? "" : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
      const head = `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1\r\nHost: localhost\r\n${content}${headers}\r\n`;
      last = { path, body, headers, type, bytes: Buffer.from(head + (body ?? "")) };
    }
    return this.send(last.bytes);
  }

  /** Sends a whole request. */
  send(bytes: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(data: Buffer): void {
    if (this.#coming !== undefined) {
      this.#coming.parts.push(data);
      this.#coming.left -= data.length;
      this.#settleWhole();
      return;
    }
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#received.toString("latin1", 0, end);
    const status = Number(head.slice(9, 12));
    // Other servers in the comparison send chunks.
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      if (this.#received.subarray(-5).equals(LAST_CHUNK)) this.#answered(new Answer(status, head, []));
      return;
    }
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    const body = this.#received.subarray(end + 4);
    this.#coming = { status, head, parts: [body], left: length - body.length };
    this.#settleWhole();
  }

  #settleWhole(): void {
    if (this.#coming === undefined || this.#coming.left > 0) return;
    const { status, head, parts } = this.#coming;
    this.#answered(new Answer(status, head, parts));
  }

  #answered(answer: Answer): void {
    this.#received = NOTHING;
    this.#coming = undefined;
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve(answer);
  }
}

const NOTHING = Buffer.alloc(0);

/** The last request, for loads that repeat one. */
let last: { path: string; body: string | undefined; headers: string; type: string; bytes: Buffer } = {
  ...{ path: "", body: undefined, headers: "", type: "" },
  bytes: Buffer.alloc(0),
};

const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const FORM = "application/x-www-form-urlencoded";
