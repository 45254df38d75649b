/** A page as PostgreSQL returns it; without JSON where the mark is the known one. */
interface Marked {
  json: string | null;
  mark: string | null;
}

interface Kept {
  mark: string;
  json: string;
}

/** Characters of pages that are kept at most, and of one page. */
const MOST = 16_000_000;
const LARGEST = 1_000_000;
/** Of how many pages is known that they were asked for once. */
const SEEN = 1_000;

/**
 * The pages of leads that are asked for again and again, as a dashboard or a sync asks for the newest ones. PostgreSQL
 * looks at each call for which rows the page has and who wrote them last, behind the caller's door; only their JSON is
 * not made, sent and read again while they are the same. So nothing here can be out of date. What is read once, as by
 * somebody who goes through all pages, is not kept.
 */
export class PageMemory {
  /** The one that was used last stands last. */
  readonly #pages = new Map<string, Kept>();
  readonly #seen = new Set<string>();
  #size = 0;

  /** A page by all that it depends on but the rows. `ask` gets the mark that is known, or an empty text. */
  async read<Row extends Marked>(
    key: string,
    ask: (mark: string) => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const kept = this.#pages.get(key);
    const row = await ask(kept?.mark ?? "");
    if (row === undefined || row.mark === null) return row;
    if (row.mark !== kept?.mark) {
      this.#keep(key, { mark: row.mark, json: row.json ?? "" });
      return row;
    }
    if (this.#pages.delete(key)) this.#pages.set(key, kept);
    return { ...row, json: kept.json };
  }

  #keep(key: string, page: Kept): void {
    const former = this.#pages.get(key);
    if (former === undefined && !this.#seen.delete(key)) {
      this.#seen.add(key);
      if (this.#seen.size > SEEN)
        for (const oldest of this.#seen.keys()) return void this.#seen.delete(oldest);
      return;
    }
    this.#forget(key);
    if (page.json.length > LARGEST) return;
    this.#pages.set(key, page);
    this.#size += page.json.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#size <= MOST) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#size -= this.#pages.get(key)?.json.length ?? 0;
    this.#pages.delete(key);
  }
}
