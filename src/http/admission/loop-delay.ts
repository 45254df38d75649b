const TICK_MS = 50;
/** How long each turn of the loop must be late; one long turn alone is no overload. */
const PERSISTS_MS = 500;

/** Watches how late the event loop runs its timers. */
export class LoopDelay {
  readonly #boundMs: number;
  readonly #timer: NodeJS.Timeout;
  #due = performance.now() + TICK_MS;
  /** The first of the latest ticks that were all late by more than the bound. */
  #lateSince: number | undefined;

  constructor(boundMs: number) {
    this.#boundMs = boundMs;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  /** Whether the delay has been above the bound for half a second. */
  get isLate(): boolean {
    return this.#lateSince !== undefined && performance.now() - this.#lateSince >= PERSISTS_MS;
  }

  #tick(): void {
    const now = performance.now();
    if (now - this.#due < this.#boundMs) this.#lateSince = undefined;
    else this.#lateSince ??= now;
    this.#due = now + TICK_MS;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
