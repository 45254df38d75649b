/** A map that keeps the entries used last. */
export class Recent<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns an entry, which counts as using it. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Sets an entry; forgets the one that was not used for longest if there are too many. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#most) this.takeOldest();
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  /** Removes and returns the key that was not used for longest. */
  takeOldest(): K | undefined {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return key;
    }
    return undefined;
  }
}
