/** The types of columns whose values are sent as arrays. */
export type ArrayColumnType = "text" | "double precision" | "boolean" | "timestamptz" | "text[]" | "jsonb";

/** The columns of many rows, by name. */
export type ArrayColumns = readonly (readonly [name: string, type: ArrayColumnType])[];

/** Arrays of these are read as text, because an array's own arrays must be of one length, and JSON has quotes of its own. */
const READ_AS_TEXT: ReadonlySet<ArrayColumnType> = new Set<ArrayColumnType>(["text[]", "jsonb"]);

/**
 * Collects many rows as one array for each column, which PostgreSQL reads in half of the time that it takes for the same rows as
 * JSON; see docs/decisions/0037.
 */
export class ColumnArrays {
  readonly #columns: ArrayColumns;
  readonly #texts: string[];
  #count = 0;

  constructor(columns: ArrayColumns) {
    this.#columns = columns;
    this.#texts = columns.map(() => "");
  }

  /** How many rows there are. */
  get count(): number {
    return this.#count;
  }

  /** Adds a row with its values in the order of the columns; JSON is a text already. */
  add(row: Iterable<unknown>): void {
    const separator = this.#count === 0 ? "" : ",";
    let i = 0;
    for (const value of row) {
      this.#texts[i] += separator + elementOf(value);
      i += 1;
    }
    this.#count += 1;
  }

  /** SQL for the rows; the parameters are `values` in their order, from this number on. */
  sql(first: number): string {
    const names = this.#columns.map(([name]) => name).join(", ");
    const arrays = this.#columns.map(([, type], i) => `$${first + i}::${arrayOf(type)}`).join(", ");
    const shown = this.#columns.map(([name, type]) =>
      READ_AS_TEXT.has(type) ? `${name}::${type} AS ${name}` : name,
    );
    return `(SELECT ${shown.join(", ")} FROM unnest(${arrays}) AS given (${names}))`;
  }

  get values(): string[] {
    return this.#texts.map((text) => `{${text}}`);
  }
}

const arrayOf = (type: ArrayColumnType): string => (READ_AS_TEXT.has(type) ? "text[]" : `${type}[]`);

/** An element of an array in PostgreSQL's text format (documentation 8.15.6). */
function elementOf(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = Array.isArray(value) ? `{${value.map(elementOf).join(",")}}` : String(value);
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, "\\$&") : text}"`;
}
