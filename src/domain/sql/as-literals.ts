import pg from "pg";

/**
 * Returns a statement with its parameters inlined, for COPY, which takes none. Values become literals quoted by pg;
 * string literals that are part of the statement stay unchanged.
 */
export function asLiterals(text: string, values: readonly unknown[]): string {
  return text.replace(/'(?:[^']|'')*'|\$(\d+)/g, (piece, number?: string) =>
    number === undefined ? piece : literalOf(values[Number(number) - 1]),
  );
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value)) return pg.escapeLiteral(arrayText(value.map(String)));
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return pg.escapeLiteral(String(value));
  }
  throw new Error(`a ${typeof value} has no literal`);
}

/** Encodes a list as a PostgreSQL array. */
export const arrayText = (items: readonly string[]): string =>
  `{${items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
