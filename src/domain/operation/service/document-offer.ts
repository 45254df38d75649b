import type { Logger } from "pino";
import type { Config } from "../../../config/config.ts";

/** Whether the discovery document offers client documents, and why; replaced at every change, never changed. */
export interface OfferState {
  advertised: boolean;
  reason: string;
  /** When https to the outside was last tried; undefined if never. */
  probedAt: Date | undefined;
}

/** After so many failures in a row, the outside counts as unreachable: one may be a name server's hiccup. */
const MOST_FAILURES = 3;

/**
 * What this instance knows about https to the outside, and so whether the discovery document offers client documents.
 * Nothing is shared: instances may be in different networks.
 */
export class DocumentOffer {
  #state: OfferState;
  #failures = 0;
  readonly #decided: boolean;
  readonly #log: Logger;

  constructor({ allowed, advertise }: Config["documents"], log: Logger) {
    this.#decided = !allowed || advertise === "always";
    this.#log = log;
    const reason = !allowed ? "CIMD is off." : this.#decided ? "CIMD is on." : "Nothing was tried yet.";
    this.#state = { advertised: allowed && this.#decided, reason, probedAt: undefined };
  }

  get state(): OfferState {
    return this.#state;
  }

  /** Whether a setting decides, so that nothing needs to be tried. */
  get isDecided(): boolean {
    return this.#decided;
  }

  /** The failures since something was last reached. */
  get failures(): number {
    return this.#failures;
  }

  /** Something outside answered over https. */
  reached(reason: string): void {
    this.#failures = 0;
    this.#become(true, reason, new Date());
  }

  /** The outside was not reached; what is offered stays offered until this happened three times in a row. */
  failed(error: unknown): void {
    this.#failures += 1;
    const stays = this.#state.advertised && this.#failures < MOST_FAILURES;
    const reason = stays
      ? "The last try to reach a server over https failed; it will be repeated."
      : "No server outside could be reached over https.";
    this.#become(stays, reason, new Date(), error);
  }

  /** There is nothing to try: no document was fetched, and CIMD_PROBE is not set. */
  nothingToTry(): void {
    this.#become(false, "No document was fetched yet, and CIMD_PROBE is not set.", this.#state.probedAt);
  }

  #become(advertised: boolean, reason: string, probedAt: Date | undefined, error?: unknown): void {
    if (this.#decided) return;
    const before = this.#state;
    this.#state = { advertised, reason, probedAt };
    if (before.advertised === advertised && before.reason === reason) return;
    const level = error === undefined ? "info" : "warn";
    const text = `client documents are ${advertised ? "" : "not "}advertised: ${reason}`;
    this.#log[level]({ advertised, ...(error === undefined ? {} : { err: error }) }, text);
  }
}
