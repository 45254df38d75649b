/**
 * The project, in SQL that is made before the parameters of its statement: there, the project is the first one. A cluster needs it
 * for each table of a statement, as a parameter.
 */
export const PROJECT = "$1::text";

/** The values of a statement, and the only route by which user input reaches SQL. */
export class Parameters {
  readonly values: unknown[] = [];
  readonly #places = new Map<string, string>();

  /** Adds a value and returns its placeholder, such as `$3`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /**
   * Adds a string and returns it as a value of a type, such as `$3::float8`. Equal strings share a placeholder only for the same
   * type: PostgreSQL reads a parameter as the type of its first cast, and another cast of that could round it.
   */
  as(value: string, type: string): string {
    const known = this.#places.get(`${type} ${value}`);
    if (known !== undefined) return known;
    const place = `${this.add(value)}::${type}`;
    this.#places.set(`${type} ${value}`, place);
    return place;
  }

  text(value: string): string {
    return this.as(value, "text");
  }

  texts(values: readonly string[]): string {
    return `${this.add([...values])}::text[]`;
  }
}
