import { displayNameSql, type Field, hasTerms } from "../../fields/lead-field.ts";
import { containsSql, foldedValue, foldedValues, patternOf } from "./folded-value.ts";
import { wordSql } from "./search-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/**
 * Adds the index terms over custom values, which every equality here implies. They only narrow; the exact
 * comparison decides.
 */
function narrowed(
  field: Field,
  values: readonly string[],
  exact: string,
  { parameters }: StatementScope,
): string {
  if (field.key === undefined || !hasTerms(field)) return exact;
  const key = parameters.text(field.key);
  const [only] = values;
  const terms =
    values.length === 1 && only !== undefined
      ? `ARRAY[custom_term(${key}, ${parameters.text(only)})]`
      : `ARRAY(SELECT custom_term(${key}, item) FROM unnest(${parameters.texts(values)}) AS listed (item))`;
  return `${exact} AND custom_terms(${field.column}) && ${terms}`;
}

/** The condition that a value equals one of these after applying a function to both. */
function among(
  value: string,
  values: readonly string[],
  through: "fold" | "lower",
  { parameters }: StatementScope,
): string {
  const [only] = values;
  if (values.length === 1 && only !== undefined) {
    return `${through}(${value}) = ${foldedValue(only, through, parameters)}`;
  }
  return `${through}(${value}) = ANY (${foldedValues(values, through, parameters)})`;
}

/** The condition by whose indexes a field of the search text is found that contains a text. */
const wordsSql = ({ column }: Field, text: string, scope: StatementScope): string =>
  column === displayNameSql() ? wordSql(text, scope) : containsSql("search_text", text, scope.parameters);

/** The condition that a field equals one of these, ignoring case and accents. */
export function foldedSql(field: Field, values: readonly string[], scope: StatementScope): string {
  const exact = among(scope.text(field), values, "fold", scope);
  const [only] = values;
  if (field.worded !== true || values.length !== 1 || only === undefined)
    return narrowed(field, values, exact, scope);
  return `${wordsSql(field, only, scope)} AND ${exact}`;
}

/** The condition that a field equals one of these exactly. */
export function exactSql(field: Field, values: readonly string[], scope: StatementScope): string {
  const value = scope.text(field);
  const [only] = values;
  const exact =
    values.length === 1 && only !== undefined
      ? `${value} = ${scope.parameters.text(only)}`
      : `${value} = ANY (${scope.parameters.texts(values)})`;
  return narrowed(field, values, exact, scope);
}

/** The condition that a field equals one of these e-mail addresses, ignoring case, as in their index. */
export function lowerSql(field: Field, values: readonly string[], scope: StatementScope): string {
  const exact = among(scope.text(field), values, "lower", scope);
  return field.key === undefined ? `email IS NOT NULL AND ${exact}` : narrowed(field, values, exact, scope);
}

/** The condition that an address is in one of these domains, given with or without `@`. */
export function domainSql(field: Field, values: readonly string[], scope: StatementScope): string {
  const value = scope.text(field);
  const domains = values.map((domain) => domain.replace(/^@/, ""));
  return `strpos(${value}, '@') > 0 AND ${among(`substring(${value} FROM '@([^@]*)$')`, domains, "lower", scope)}`;
}

/** The condition that a field equals one of these numbers; a custom field is compared as stored. */
export function phoneSql(field: Field, numbers: readonly string[], scope: StatementScope): string {
  if (field.key !== undefined) return exactSql(field, numbers, scope);
  return exactSql({ ...field, column: "phone_e164" }, numbers, scope);
}

/**
 * The condition that a field contains, starts with or ends with a text, ignoring case and accents; `%` and `_` are
 * literal.
 */
export function partSql(
  field: Field,
  match: "part" | "start" | "end",
  text: string,
  scope: StatementScope,
): string {
  const like = patternOf(text, match, scope.parameters);
  const values =
    field.type === "phone" && field.key === undefined ? ["phone", "phone_e164"] : [scope.text(field)];
  const exact = values.map((value) => `fold(${value}) LIKE ${like}`).join(" OR ");
  return field.worded === true ? `${wordsSql(field, text, scope)} AND (${exact})` : exact;
}
