/** Counts the open streams of a process, and those of each credential. */
export class StreamSlots {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #own = new Map<string, number>();
  #open = 0;

  constructor(most: number, mostOfOne: number) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  get open(): number {
    return this.#open;
  }

  /** Why no other stream may be opened with this credential: its own ones or all of them are too many. */
  fullFor(name: string): "own" | "all" | undefined {
    if ((this.#own.get(name) ?? 0) >= this.#mostOfOne) return "own";
    return this.#open >= this.#most ? "all" : undefined;
  }

  /** Counts a stream. Returns what ends it, which may be called twice. */
  take(name: string): () => void {
    this.#open += 1;
    this.#own.set(name, (this.#own.get(name) ?? 0) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open -= 1;
      const left = (this.#own.get(name) ?? 1) - 1;
      if (left > 0) this.#own.set(name, left);
      else this.#own.delete(name);
    };
  }
}
