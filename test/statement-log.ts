import pg from "pg";

/** Each statement, and whether one of the service's own connections sent it. */
const texts = new Set<string>();

interface Wired {
  parse(query: { text: string }, more?: boolean): void;
  query(text: string): void;
}

/**
 * Records every statement that this process sends from now on, prepared or not: all of them pass through
 * these two methods of pg, including cursors, COPY and statement batches.
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
