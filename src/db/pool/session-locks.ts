import type { Connections, Taken } from "./connections.ts";

const TRY = "SELECT pg_try_advisory_lock(hashtextextended($1, 7237003)) AS held";
const UNLOCK = "SELECT pg_advisory_unlock(hashtextextended($1, 7237003))";

/** A connection that holds locks, and how many users it has. */
interface Holder {
  taken: Promise<Taken>;
  users: number;
  broken: boolean;
  breakNow(): void;
}

/**
 * Locks by name that belong to this process, all on one connection. PostgreSQL frees them when the process dies, even by
 * kill -9.
 */
export class SessionLocks {
  readonly #connections: Connections;
  readonly #limitMs: number;
  /** A session may take its own lock again, so this process keeps its own list. */
  readonly #held = new Set<string>();
  #holder: Holder | undefined;

  constructor(connections: Connections, limitMs: number) {
    this.#connections = connections;
    this.#limitMs = limitMs;
  }

  /** Runs work that only one instance may do at a time, guarded by `lock`; false if another one is running it. */
  async alone(lock: number, work: () => Promise<void>): Promise<boolean> {
    this.#refusePooler();
    const { client, release } = await this.#connections.take({ lane: "keyed", owner: "" });
    let broken = true;
    const ask = async (text: string) =>
      await this.#connections.answered(client, this.#limitMs, client.query(text, [lock]));
    try {
      const { rows } = await ask("SELECT pg_try_advisory_lock($1) AS mine");
      const mine = rows[0]?.mine === true;
      if (mine) {
        await work();
        await ask("SELECT pg_advisory_unlock($1)");
      }
      broken = false;
      return mine;
    } finally {
      // A connection that may still hold the lock is closed, which releases it.
      release(broken);
    }
  }

  /** Does work that only one process at a time may do for this name; false if it is being done already. */
  async hold(name: string, work: () => Promise<void>): Promise<boolean> {
    this.#refusePooler();
    if (this.#held.has(name)) return false;
    this.#held.add(name);
    const holder = this.#join();
    try {
      if (!(await this.#ask(holder, TRY, name))) return false;
      try {
        await work();
      } finally {
        // If it cannot be freed, its connection is closed, which frees it.
        await this.#ask(holder, UNLOCK, name).catch(() => undefined);
      }
      return true;
    } finally {
      await this.#leave(holder);
      this.#held.delete(name);
    }
  }

  #refusePooler(): void {
    if (this.#connections.options.pooled === true) throw new Error("a pooler keeps no locks of sessions");
  }

  #join(): Holder {
    if (this.#holder === undefined || this.#holder.broken) {
      const taken = this.#connections.take({ lane: "keyed", owner: "" });
      const holder: Holder = {
        taken,
        users: 0,
        broken: false,
        breakNow: () => {
          holder.broken = true;
        },
      };
      taken.then(({ client }) => client.once("end", holder.breakNow), holder.breakNow);
      this.#holder = holder;
    }
    this.#holder.users += 1;
    return this.#holder;
  }

  async #ask(holder: Holder, text: string, name: string): Promise<boolean> {
    try {
      const { client } = await holder.taken;
      const { rows } = await this.#connections.answered(client, this.#limitMs, client.query(text, [name]));
      return (rows[0] as { held?: boolean } | undefined)?.held === true;
    } catch (error) {
      holder.breakNow();
      throw error;
    }
  }

  async #leave(holder: Holder): Promise<void> {
    holder.users -= 1;
    if (holder.users > 0) return;
    if (this.#holder === holder) this.#holder = undefined;
    const taken = await holder.taken.catch(() => undefined);
    taken?.client.off("end", holder.breakNow);
    taken?.release(holder.broken);
  }
}
