import type { Answer } from "./transport.ts";

interface Page {
  next_cursor: string | null;
}

/** The items of a list over all of its pages. `for await` over it reads items, over `pages()` whole pages. */
export interface Items<Item, P> extends AsyncIterable<Item> {
  pages(): AsyncIterable<P>;
}

/** Returns the items of a list; `read` reads the page of a cursor, `of` returns its items. */
export function items<Item, P extends Page>(
  read: (cursor: string | undefined) => Promise<Answer<P>>,
  of: (page: P) => readonly Item[],
): Items<Item, P> {
  async function* pages(): AsyncGenerator<P, void> {
    let cursor: string | undefined;
    do {
      const { data } = await read(cursor);
      yield data;
      cursor = data.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* of(page);
    },
  };
}
