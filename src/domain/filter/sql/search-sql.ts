import type { StatementScope } from "./statement-scope.ts";

/** A word somewhere in name, e-mail, phone or company. */
export const searchSql = (word: string, scope: StatementScope): string =>
  `search_text LIKE '%' || literal(${scope.parameters.text(word)}) || '%'`;
