import type pg from "pg";

/** Whether PostgreSQL refused a connection because of a limit: of the role, the database or the server. */
export const isTooMany = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "53300";

/** How long after such a refusal one more connection is tried. */
const AGAIN_MS = 10_000;

/**
 * How many connections the server gives a pool, which may be fewer than the pool wants. A refused connection lowers the pool's
 * size to those that are open; later the pool tries for one more at a time.
 */
export class Granted {
  readonly #pool: pg.Pool;
  readonly #wanted: number;
  readonly #onChange: (most: number) => void;
  readonly #open = new Set<pg.PoolClient>();
  #refusedAt = Number.NEGATIVE_INFINITY;
  /** Whether no connection was refused since one more was tried. */
  #isGrowing = true;

  /** `onChange` receives the new size. */
  constructor(pool: pg.Pool, onChange: (most: number) => void) {
    this.#pool = pool;
    this.#wanted = pool.options.max;
    this.#onChange = onChange;
    pool.on("connect", (client) => {
      this.#open.add(client);
      client.once("end", () => this.#open.delete(client));
      if (this.#open.size >= this.most) this.#allow(this.#open.size + (this.#isGrowing ? 1 : 0));
    });
  }

  /** The most connections that the pool opens. */
  get most(): number {
    return this.#pool.options.max;
  }

  /** Tries for one more connection if the last refusal is some time ago. */
  tryMore(): void {
    if (this.most >= this.#wanted || performance.now() - this.#refusedAt < AGAIN_MS) return;
    this.#refusedAt = performance.now();
    this.#isGrowing = true;
    this.#allow(this.most + 1);
  }

  /** Whether this error means that the server gives no more connections than are open, so that one of those has to do. */
  hasRefused(error: unknown): boolean {
    if (!isTooMany(error) || this.#open.size === 0) return false;
    this.#refusedAt = performance.now();
    this.#isGrowing = false;
    this.#allow(Math.min(this.most, this.#open.size));
    return true;
  }

  #allow(connections: number): void {
    const most = Math.min(connections, this.#wanted);
    if (most === this.most) return;
    this.#pool.options.max = most;
    this.#onChange(most);
  }
}
