/** The values of a statement; the only way in which anything a user wrote gets near SQL. */
export class Parameters {
  readonly values: unknown[] = [];
  readonly #places = new Map<unknown, string>();

  /** The place of a value, such as `$3`; equal texts share one. */
  add(value: unknown): string {
    const known = typeof value === "string" ? this.#places.get(value) : undefined;
    if (known !== undefined) return known;
    this.values.push(value);
    const place = `$${this.values.length}`;
    if (typeof value === "string") this.#places.set(value, place);
    return place;
  }

  /** A text, said to be one, where SQL could take it for something else. */
  text(value: string): string {
    return `${this.add(value)}::text`;
  }

  texts(values: readonly string[]): string {
    return `${this.add([...values])}::text[]`;
  }
}
