import assert from "node:assert/strict";

/** What a stream carried: an event, or a comment alone. */
export interface Message {
  event: string;
  id: string;
  data: string;
  comment: string;
}

/** A client that reads server-sent events as WHATWG HTML 9.2.6 says, and keeps the last id. */
export class StreamReader {
  /** The last event id, also of messages without data. */
  lastId = "";
  retry = 0;
  readonly status: number;
  readonly headers: Headers;
  readonly #messages: AsyncGenerator<Message, void>;
  readonly #abort: AbortController;

  private constructor(answer: Response, abort: AbortController) {
    this.status = answer.status;
    this.headers = answer.headers;
    this.#abort = abort;
    this.#messages = this.#read(answer);
  }

  /** Connects; fails unless the answer is a stream. */
  static async open(url: string, headers: Record<string, string>): Promise<StreamReader> {
    const abort = new AbortController();
    const answer = await fetch(url, {
      headers: { ...headers, Accept: "text/event-stream" },
      signal: abort.signal,
    });
    assert.equal(answer.status, 200, answer.status === 200 ? "" : await answer.text());
    assert.equal(answer.headers.get("content-type"), "text/event-stream");
    return new StreamReader(answer, abort);
  }

  /** Returns the next message that `wanted` takes; undefined if the stream ends before. */
  async next(
    wanted: (message: Message) => boolean = ({ data }) => data !== "",
  ): Promise<Message | undefined> {
    for (;;) {
      const { value, done } = await this.#messages.next();
      if (done === true) return undefined;
      if (wanted(value)) return value;
    }
  }

  /** Returns the next events of the feed, as many as given, or fewer if the stream ends. */
  async events<T = { id: string; type: string; lead_id: string }>(count: number): Promise<T[]> {
    const found: T[] = [];
    while (found.length < count) {
      const message = await this.next(({ event, data }) => event === "change" && data !== "");
      if (message === undefined) break;
      found.push(JSON.parse(message.data) as T);
    }
    return found;
  }

  /** Reads to the end of the stream; returns its messages. */
  async rest(): Promise<Message[]> {
    const all: Message[] = [];
    for (
      let message = await this.next(() => true);
      message !== undefined;
      message = await this.next(() => true)
    )
      all.push(message);
    return all;
  }

  close(): void {
    this.#abort.abort();
  }

  async *#read(answer: Response): AsyncGenerator<Message, void> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const chunk of answer.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        for (let cut = text.indexOf("\n\n"); cut >= 0; cut = text.indexOf("\n\n")) {
          yield this.#message(text.slice(0, cut));
          text = text.slice(cut + 2);
        }
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }

  #message(block: string): Message {
    const message: Message = { event: "message", id: this.lastId, data: "", comment: "" };
    for (const line of block.split("\n")) {
      const [, field = "", value = ""] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
      if (field === "") message.comment += value;
      else if (field === "id") this.lastId = message.id = value;
      else if (field === "data") message.data += value;
      else if (field === "event") message.event = value;
      else if (field === "retry") this.retry = Number(value);
    }
    return message;
  }
}
