import pg from "pg";

/** A statement, and whether one of the service's own connections sent it. */
const texts = new Set<string>();

interface Wired {
  parse(query: { text: string }, more?: boolean): void;
  query(text: string): void;
}

/**
 * Writes down every statement that this process sends from now on, prepared or not: all of them go through these
 * two of pg's methods, also those of cursors, COPY and our chains.
 */
export function logStatements(): ReadonlySet<string> {
  const wire = pg.Connection.prototype as unknown as Wired;
  const { parse, query } = wire;
  wire.parse = function (this: Wired, message, more) {
    texts.add(message.text);
    parse.call(this, message, more);
  };
  wire.query = function (this: Wired, text) {
    texts.add(text);
    query.call(this, text);
  };
  return texts;
}
