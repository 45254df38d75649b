import { hash } from "node:crypto";

const LITERAL = /\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/gi;
/** Names that are not made of letters only, such as a column that is named by a user's key. */
const NAME = /"(?![A-Za-z_]+")(?:[^"]|"")*"/g;
const LONGEST = 1_500;

/** A statement without what may have been made of what users wrote. */
interface Shape {
  sql: string;
  /** The same for all statements with this SQL, in all lines and on all instances. */
  fingerprint: string;
}

/** Returns a statement on one line, with placeholders and without literals, cut after 1,500 characters. */
export function shapeOf(text: string): Shape {
  const sql = text.replace(LITERAL, "?").replace(NAME, '"?"').replace(/\s+/g, " ").trim();
  const fingerprint = hash("sha256", sql, "hex").slice(0, 12);
  return { sql: sql.length > LONGEST ? `${sql.slice(0, LONGEST)}…`.toWellFormed() : sql, fingerprint };
}
