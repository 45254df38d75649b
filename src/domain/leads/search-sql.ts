import { bad, cleanText } from "./bad-input.ts";
import type { StatementScope } from "./statement-scope.ts";

const MOST_WORDS = 10;

/** Every word somewhere in name, e-mail, phone or company; no words ask for nothing. */
export function searchSql(search: string, scope: StatementScope): string[] {
  const words = cleanText(search, "$.search")
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length > MOST_WORDS) bad("$.search", "too_many_words", `has more than ${MOST_WORDS} words`);
  return words.map((word) => `search_text LIKE '%' || literal(${scope.parameters.text(word)}) || '%'`);
}
