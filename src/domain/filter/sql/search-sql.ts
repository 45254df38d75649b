import { mistypedPatterns, type PhoneDigits, phoneIn, wordRuns } from "../read/search-words.ts";
import { containsSql } from "./folded-value.ts";
import type { StatementScope } from "./statement-scope.ts";

/**
 * Returns the conditions that names, e-mail, phone or company contain each word, or if `similar` one that was mistyped. Words
 * that could be a phone number, together or alone, also match by the digits of the lead's phone numbers, however these are
 * written.
 */
export const leadSearchSql = (words: readonly string[], scope: StatementScope, similar = false): string[] =>
  wordRuns(words).map((run) => {
    const each = run.map((word) =>
      anyOf([
        wordSql(word, scope),
        ...(similar ? mistypedSql(word, scope) : []),
        ...phoneSql(phoneIn([word]), scope),
      ]),
    );
    const whole = run.length > 1 ? phoneSql(phoneIn(run), scope) : [];
    return anyOf([each.join(" AND "), ...whole]);
  });

/** Returns the condition that the search text contains a word. */
export const searchSql = (word: string, scope: StatementScope): string =>
  containsSql("search_text", word, scope.parameters);

/** The last condition and the expression are those of the index lead_full_name; where it is the name, the search text has it. The first is cheaper. */
const HAS_OTHER_NAME = `coalesce(first_name || ' ' || last_name <> name, true) AND full_name(first_name, last_name) <> coalesce(name, '')`;
const FULL_NAME = "fold(full_name(first_name, last_name))";

/** Returns the condition that a lead's search text, or its first and last name, contain a word. */
export const wordSql = (word: string, scope: StatementScope): string =>
  `(${searchSql(word, scope)} OR ${HAS_OTHER_NAME} AND ${containsSql(FULL_NAME, word, scope.parameters)})`;

/** Returns the conditions that a word of them begins with one that may have been meant; none if no mistake is looked for. */
function mistypedSql(word: string, { parameters }: StatementScope): string[] {
  const patterns = mistypedPatterns(word);
  if (patterns.length === 0) return [];
  const starts = parameters.texts(patterns.flatMap((each) => [`${each}%`, `% ${each}%`]));
  return [`search_text LIKE ANY (${starts})`, `${HAS_OTHER_NAME} AND ${FULL_NAME} LIKE ANY (${starts})`];
}

const anyOf = (conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions.join("") : `(${conditions.map((each) => `(${each})`).join(" OR ")})`;

/** The conditions are those of the index lead_phone_digits. */
function phoneSql(phone: PhoneDigits | undefined, { parameters, project }: StatementScope): string[] {
  if (phone === undefined) return [];
  const like = (pattern: string) =>
    `(phone IS NOT NULL OR phones <> '{}') AND phone_digits(phone, phone_e164, phones) LIKE ${parameters.text(pattern)}`;
  const parts = phone.parts.map((part) => like(`%${part}%`));
  if (phone.whole === undefined) return parts;
  const { digits, countries } = phone.whole;
  const means =
    countries === undefined
      ? ""
      : ` AND (SELECT coalesce(default_country = ANY (${parameters.texts(countries)}), true) FROM project WHERE project_id = ${project})`;
  return [...parts, ...[`% ${digits}`, `% ${digits} %`].map((pattern) => `${like(pattern)}${means}`)];
}
