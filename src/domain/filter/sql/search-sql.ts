import { type PhoneDigits, phoneIn, wordRuns } from "../read/search-words.ts";
import { containsSql } from "./folded-value.ts";
import type { StatementScope } from "./statement-scope.ts";

/**
 * Returns the conditions that name, e-mail, phone or company contain each word. Words that could be a phone number,
 * together or alone, also match by the digits of the lead's phone numbers, however these are written.
 */
export const leadSearchSql = (words: readonly string[], scope: StatementScope): string[] =>
  wordRuns(words).map((run) => {
    const each = run.map((word) => anyOf([searchSql(word, scope), ...phoneSql(phoneIn([word]), scope)]));
    const whole = run.length > 1 ? phoneSql(phoneIn(run), scope) : [];
    return anyOf([each.join(" AND "), ...whole]);
  });

/** Returns the condition that the search text contains a word. */
export const searchSql = (word: string, scope: StatementScope): string =>
  containsSql("search_text", word, scope.parameters);

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
