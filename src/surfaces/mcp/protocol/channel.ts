import { PassThrough } from "node:stream";
import { noteText } from "./rpc-text.ts";

/** Headers of a stream besides its type: no proxy may buffer messages. */
export const STREAM_HEADERS = { "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no" };

/** Server-sent events that carry messages (MCP 2026-07-28, Streamable HTTP, receiving messages). */
export class EventStream {
  readonly body = new PassThrough();

  send(message: string): void {
    if (this.body.writable) this.body.write(`event: message\ndata: ${message}\n\n`);
  }

  /** Sends a comment line, so that no proxy closes the idle connection. */
  keepAlive(): void {
    if (this.body.writable) this.body.write(": keep-alive\n\n");
  }

  end(message?: string): void {
    if (message !== undefined) this.send(message);
    this.body.end();
  }
}

/**
 * Sends messages to the client before the result. The response becomes a stream with the first message only.
 */
export class Channel {
  readonly #opened = Promise.withResolvers<EventStream>();
  #stream: EventStream | undefined;

  get opened(): Promise<EventStream> {
    return this.#opened.promise;
  }

  /** Whether this stream is the channel's own. */
  holds(stream: EventStream): boolean {
    return this.#stream === stream;
  }

  note(method: string, params: object): void {
    if (this.#stream === undefined) {
      this.#stream = new EventStream();
      this.#opened.resolve(this.#stream);
    }
    this.#stream.send(noteText(method, params));
  }
}
