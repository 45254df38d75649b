import { permissionsOfGrant } from "../../../core/permission.ts";
import { tokenStanding } from "../../../domain/grants/check-token.ts";
import { EventStream } from "../protocol/channel.ts";
import type { Exchange } from "../protocol/exchange.ts";
import type { Id } from "../protocol/message.ts";
import { complete } from "../protocol/result.ts";
import { META } from "../protocol/revisions.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";
import { noteText, resultText } from "../protocol/rpc-text.ts";
import { type Filter, filterOf } from "./listen-filter.ts";
import { Watch } from "./watch.ts";

/** Maximum open streams of one process, and of one token. */
const MOST = 1_000;
const MOST_OF_ONE = 8;

/** The open streams of one listener, which closes them when it closes. */
export class Streams {
  readonly #open = new Map<Watch, string>();

  add(watch: Watch, token: string): void {
    this.#open.set(watch, token);
    watch.over.then(() => this.#open.delete(watch));
  }

  /** Whether another stream may be opened with this token. */
  mayOpen(token: string): boolean {
    const own = [...this.#open.values()].filter((other) => other === token);
    return this.#open.size < MOST && own.length < MOST_OF_ONE;
  }

  /** Reports a change made in this process to all streams; changes made elsewhere are found by reading. */
  changed(what: keyof Filter): void {
    for (const watch of this.#open.keys()) watch.changed(what);
  }

  close(): void {
    for (const watch of this.#open.keys()) watch.end(true);
  }
}

/**
 * `subscriptions/listen`: a response that stays open and reports the changes that were subscribed to (MCP
 * 2026-07-28, Subscriptions). It ends when the token does.
 */
export async function listen(
  exchange: Exchange,
  params: Record<string, unknown>,
  id: Id,
  streams: Streams,
): Promise<EventStream> {
  const standing = await tokenStanding(exchange.service, exchange.caller);
  const permissions = permissionsOfGrant(standing.scopes, standing.role);
  const filter = filterOf(exchange, params, permissions);
  const token = exchange.caller.hash.toString("latin1");
  if (!streams.mayOpen(token)) {
    throw new RpcError(CODE.internal, "Too many subscriptions are open; close one first.", { status: 200 });
  }
  const stream = new EventStream();
  const stamp = { [META.subscription]: id };
  const note = (method: string, more: object) => stream.send(noteText(method, { ...more, _meta: stamp }));
  note("notifications/subscriptions/acknowledged", { notifications: filter });
  const ended = { ...exchange, catalogue: { ...exchange.catalogue, signature: signatureOf(exchange, id) } };
  const goodbye = resultText(id, complete(ended, ""));
  if (Object.keys(filter).length === 0) stream.end(goodbye);
  else streams.add(new Watch(exchange, stream, { filter, permissions, note, goodbye }), token);
  return stream;
}

const signatureOf = ({ catalogue }: Exchange, id: Id): string =>
  `"_meta":${JSON.stringify({ [META.subscription]: id, [META.server]: catalogue.registry.server })}`;
