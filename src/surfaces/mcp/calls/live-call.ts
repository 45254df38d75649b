import type { Service } from "../../../domain/operation/service/service.ts";
import type { TokenCaller } from "../protocol/bearer.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { isObject } from "../protocol/message.ts";
import type { Answer, Call } from "../protocol/registry.ts";
import { META } from "../protocol/revisions.ts";

/** A call in progress; members that are rarely used are created on demand. */
export class LiveCall implements Call {
  readonly service: Service;
  readonly caller: TokenCaller;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, Answer>>;
  readonly canAsk: boolean;
  readonly #exchange: Exchange;
  readonly #meta: Record<string, unknown>;
  #abort: AbortController | undefined;

  constructor(exchange: Exchange, params: Record<string, unknown>, answers: Record<string, Answer> = NONE) {
    this.service = exchange.service;
    this.caller = exchange.caller;
    this.answers = answers;
    this.#exchange = exchange;
    this.#meta = isObject(params._meta) ? params._meta : NONE;
    const declared = this.#meta[META.capabilities];
    this.capabilities = exchange.modern && isObject(declared) ? declared : NONE;
    this.canAsk = asks(this.capabilities.elicitation);
  }

  get requestId(): string {
    return this.#exchange.request.id;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      const { modern, request } = this.#exchange;
      const { socket } = request.raw;
      // Earlier clients may lose the connection and still want the work done (MCP 2025-11-25, transports,
      // sending messages).
      if (!modern) return this.#abort.signal;
      if (socket.destroyed) this.#abort.abort();
      else socket.once("close", this.#onClose);
    }
    return this.#abort.signal;
  }

  progress(done: number, total?: number, message?: string): void {
    const { progressToken } = this.#meta;
    if (progressToken === undefined) return;
    this.#exchange.channel?.note("notifications/progress", {
      progressToken,
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }

  /** Removes the listeners from the connection, which outlives the call. */
  done(): void {
    if (this.#abort !== undefined) this.#exchange.request.raw.socket.off("close", this.#onClose);
  }

  readonly #onClose = (): void => this.#abort?.abort();
}

const NONE: Readonly<Record<string, never>> = Object.freeze({});

/**
 * Whether elicitation by form is supported, which an empty capability means (MCP 2026-07-28, Elicitation,
 * capabilities).
 */
const asks = (elicitation: unknown): boolean =>
  isObject(elicitation) && ("form" in elicitation || Object.keys(elicitation).length === 0);
