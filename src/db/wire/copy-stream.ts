import { Readable } from "node:stream";
import type pg from "pg";
import type { Submittable } from "pg";

/** What pg's connection offers to custom queries. */
interface Wire {
  stream: Readable;
  query(text: string): void;
}

type Listener = (bytes: Buffer) => void;

const [ERROR_RESPONSE, COPY_DATA, COPY_DONE] = [0x45, 0x64, 0x63];
/** A message's kind and length. */
const HEAD = 5;

/**
 * What `COPY … TO STDOUT` sends, as a stream (PostgreSQL protocol 54.2.6). Each row comes as a message: their contents
 * are moved together where they were received, since an object for each would cost more than all the rest. It ends
 * when the server says that the statement is complete, and reads no further than its own reader does.
 */
export class CopyStream extends Readable implements Submittable {
  readonly #text: string;
  #wire: Wire | undefined;
  #usual: Listener | undefined;
  /** The beginning of a message whose head has not come whole yet. */
  #begun: Buffer | undefined;
  /** Bytes of the message that is being received, and whether they are a row's. */
  #left = 0;
  #isRow = false;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  submit(connection: pg.Connection): void {
    this.#wire = connection as unknown as Wire;
    const { stream } = this.#wire;
    this.#usual = stream.listeners("data")[0] as Listener;
    stream.on("data", this.#take);
    stream.off("data", this.#usual);
    this.#wire.query(this.#text);
  }

  override _read(): void {
    this.#wire?.stream.resume();
  }

  readonly #take: Listener = (chunk) => {
    const bytes = this.#begun === undefined ? chunk : Buffer.concat([this.#begun, chunk]);
    this.#begun = undefined;
    let at = 0;
    let kept = 0;
    while (at < bytes.length) {
      if (this.#left === 0) {
        if (bytes.length - at < HEAD) {
          this.#begun = bytes.subarray(at);
          break;
        }
        const kind = bytes[at];
        if (kind === COPY_DONE || kind === ERROR_RESPONSE) {
          if (kept > 0) this.push(bytes.subarray(0, kept));
          this.#giveBack(bytes.subarray(kind === COPY_DONE ? at + HEAD : at));
          return;
        }
        this.#isRow = kind === COPY_DATA;
        this.#left = bytes.readUInt32BE(at + 1) - 4;
        at += HEAD;
      }
      const end = Math.min(at + this.#left, bytes.length);
      if (this.#isRow) {
        bytes.copyWithin(kept, at, end);
        kept += end - at;
      }
      this.#left -= end - at;
      at = end;
    }
    if (kept > 0 && !this.push(bytes.subarray(0, kept))) this.#wire?.stream.pause();
  };

  /** What follows is for pg's own parser. */
  #giveBack(rest: Buffer): void {
    const { stream } = this.#wire as Wire;
    const usual = this.#usual as Listener;
    stream.on("data", usual);
    stream.off("data", this.#take);
    stream.resume();
    if (rest.length > 0) usual(rest);
  }

  handleCommandComplete(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  handleReadyForQuery(): void {
    // it ended with the statement
  }
}
