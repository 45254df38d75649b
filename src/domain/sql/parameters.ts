/** The values of a statement, and the only route by which user input reaches SQL. */
export class Parameters {
  readonly values: unknown[] = [];
  readonly #places = new Map<unknown, string>();

  /** Adds a value and returns its placeholder, such as `$3`; equal strings share one. */
  add(value: unknown): string {
    const known = typeof value === "string" ? this.#places.get(value) : undefined;
    if (known !== undefined) return known;
    this.values.push(value);
    const place = `$${this.values.length}`;
    if (typeof value === "string") this.#places.set(value, place);
    return place;
  }

  /** Adds a string with an explicit type, for places where SQL could infer another. */
  text(value: string): string {
    return `${this.add(value)}::text`;
  }

  texts(values: readonly string[]): string {
    return `${this.add([...values])}::text[]`;
  }
}
