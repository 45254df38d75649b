import { type Permission, permissionsOfGrant } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import { hashOf } from "../../../core/secret.ts";
import { tokenStanding } from "../../../domain/grants/check-token.ts";
import type { EventStream } from "../protocol/channel.ts";
import type { Exchange } from "../protocol/exchange.ts";
import type { Filter } from "./listen-filter.ts";
import { LiveCall } from "./live-call.ts";
import { findResource } from "./read-resource.ts";

/** How often a stream checks its token; it reads data and sends keep-alives at multiples of this. */
const BEAT_MS = 1_000;
const BEATS_TO_READ = 5;
const BEATS_TO_KEEP = 15;

const LIST_NOTES = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
} as const;

/** What a stream reports, and how. */
interface Told {
  filter: Filter;
  /** The token's permissions; the lists change when they do. */
  permissions: readonly Permission[];
  note(method: string, more: object): void;
  goodbye: string;
}

/**
 * Watches for changes on behalf of one stream. It polls the database as the caller, so changes made by any
 * instance are found and a revoked token is noticed within a beat.
 */
export class Watch {
  readonly #ended = Promise.withResolvers<void>();
  readonly #exchange: Exchange;
  readonly #stream: EventStream;
  readonly #told: Told;
  readonly #hashes = new Map<string, string>();
  #may: string;
  #beats = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(exchange: Exchange, stream: EventStream, told: Told) {
    this.#exchange = exchange;
    this.#stream = stream;
    this.#told = told;
    this.#may = told.permissions.join();
    stream.body.once("close", () => this.end(false));
    this.#timer = setTimeout(() => void this.#beat(), 0);
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  changed(what: keyof Filter): void {
    if (what !== "resourceSubscriptions" && this.#told.filter[what] === true)
      this.#told.note(LIST_NOTES[what], {});
  }

  /** Ends the stream: with a final message if the server closes it, without one if the token or the client ended. */
  end(politely: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stream.end(politely ? this.#told.goodbye : undefined);
    this.#ended.resolve();
  }

  async #beat(): Promise<void> {
    try {
      await this.#lookAround();
    } catch (error) {
      if (error instanceof Refusal && error.kind === "unauthenticated") return this.end(false);
      this.#exchange.request.log.warn({ err: error }, "a subscription could not look for changes");
    }
    this.#beats += 1;
    if (this.#beats % BEATS_TO_KEEP === 0) this.#stream.keepAlive();
    if (this.#timer !== undefined) this.#timer = setTimeout(() => void this.#beat(), BEAT_MS);
  }

  async #lookAround(): Promise<void> {
    const { service, caller } = this.#exchange;
    const { scopes, role } = await tokenStanding(service, caller);
    const may = permissionsOfGrant(scopes, role).join();
    if (may !== this.#may) for (const list of Object.keys(LIST_NOTES)) this.changed(list as keyof Filter);
    this.#may = may;
    if (this.#beats % BEATS_TO_READ !== 0) return;
    for (const uri of this.#told.filter.resourceSubscriptions ?? []) await this.#read(uri);
  }

  async #read(uri: string): Promise<void> {
    const call = new LiveCall(this.#exchange, {});
    const content = await findResource(this.#exchange, uri)?.read(call);
    const now = hashOf(JSON.stringify(content ?? null)).toString("latin1");
    const before = this.#hashes.get(uri);
    this.#hashes.set(uri, now);
    if (before !== undefined && before !== now) this.#told.note("notifications/resources/updated", { uri });
  }
}
