/** How a value is written in the URL; `write` returns null for values that are left out. */
export interface Piece<T> {
  read(text: string | null): T;
  write(value: T): string | null;
}
