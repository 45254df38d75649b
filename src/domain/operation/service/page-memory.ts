/** A page as PostgreSQL returns it; without JSON if the mark equals the known one. */
interface Marked {
  json: string | null;
  mark?: string | null;
}

interface Kept {
  mark: string;
  json: string;
  /** When it was last shown, in milliseconds of the process. */
  shownAt: number;
}

/** The maximum characters of all cached pages, and of one page. */
const MOST = 16_000_000;
const LARGEST = 1_000_000;
/** Pages that nobody requests any more are forgotten, so that what was erased leaves the memory of every instance. */
const LONGEST_MS = 10 * 60_000;
/** How many pages are remembered as requested once. */
const SEEN = 1_000;

/**
 * Caches pages of leads that are requested repeatedly, as by a dashboard or a sync. On each call PostgreSQL still
 * checks, behind the caller's door, which rows the page has and their last writes, so a page is never stale; only
 * its JSON is not built and sent again. Pages requested once are not kept.
 */
export class PageMemory {
  /** In order of use, the most recent last. */
  readonly #pages = new Map<string, Kept>();
  readonly #seen = new Set<string>();
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Reads a page; `key` is everything that it depends on except its rows. `ask` receives the known mark, or an empty string
   * if the page is to be marked; for a page that was not asked for before it receives nothing.
   */
  async read<Row extends Marked>(
    key: string,
    ask: (mark?: string) => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const kept = this.#pages.get(key);
    if (kept === undefined && !this.#seen.has(key)) {
      this.#see(key);
      return await ask();
    }
    const row = await ask(kept?.mark ?? "");
    if (row === undefined || row.mark === undefined || row.mark === null) return row;
    if (row.mark !== kept?.mark) {
      this.#keep(key, { mark: row.mark, json: row.json ?? "", shownAt: performance.now() });
      return row;
    }
    if (this.#pages.delete(key)) this.#pages.set(key, { ...kept, shownAt: performance.now() });
    return { ...row, json: kept.json };
  }

  /** Forgets all pages. */
  clear(): void {
    this.#pages.clear();
    this.#seen.clear();
    this.#size = 0;
  }

  #see(key: string): void {
    this.#forgetLater();
    this.#seen.add(key);
    if (this.#seen.size > SEEN) for (const oldest of this.#seen.keys()) return void this.#seen.delete(oldest);
  }

  #keep(key: string, page: Kept): void {
    this.#forgetLater();
    this.#seen.delete(key);
    this.#forget(key);
    if (page.json.length > LARGEST) return;
    this.#pages.set(key, page);
    this.#size += page.json.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#size <= MOST) break;
      this.#forget(oldest);
    }
  }

  /** Every ten minutes, forgets what nobody requested in the last ten; pages are in the order of use. */
  #forgetLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#seen.clear();
      const since = performance.now() - LONGEST_MS;
      for (const [key, { shownAt }] of this.#pages) {
        if (shownAt > since) break;
        this.#forget(key);
      }
      if (this.#pages.size > 0) this.#forgetLater();
    }, LONGEST_MS).unref();
  }

  #forget(key: string): void {
    this.#size -= this.#pages.get(key)?.json.length ?? 0;
    this.#pages.delete(key);
  }
}
