/** Columns beyond these are not watched. */
const WATCHED = 50;
/** More kinds of rows than these say nothing about a file. */
const MOST_KINDS = 2_000;

/** Rows with the same filled columns: the sum of 2 to the power of each column's place, and how many there are. */
export type RowKind = readonly [filled: number, rows: number];

/** Counts the rows of a file by their filled columns, of the first fifty. */
export class RowWatch {
  readonly #kinds = new Map<number, number>();

  /** Adds a row with these filled columns, as `filledBit` numbers them. */
  see(filled: number): void {
    const rows = this.#kinds.get(filled);
    if (rows !== undefined || this.#kinds.size < MOST_KINDS) this.#kinds.set(filled, (rows ?? 0) + 1);
  }

  /** The kinds of rows; undefined if there are too many to tell. */
  kinds(): RowKind[] | undefined {
    return this.#kinds.size < MOST_KINDS ? [...this.#kinds] : undefined;
  }
}

/** The number of a column in a sum of filled columns; 0 for a column that is not watched. */
export const filledBit = (column: number): number => (column < WATCHED ? 2 ** column : 0);
