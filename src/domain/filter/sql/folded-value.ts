import type { Parameters } from "../../sql/parameters.ts";

/** Texts whose lower case is the same in every locale; a capital I would be a dotless ı in Turkish. */
const PLAIN = /^[^I\u0080-\u{10FFFF}]*$/u;

/**
 * Returns SQL for a text as `through`, one of the database's functions, makes it. A plain text is folded here, because
 * PostgreSQL would do it anew for each lead that it compares if one plan serves all values.
 */
export const foldedValue = (text: string, through: "fold" | "lower", parameters: Parameters): string =>
  PLAIN.test(text) ? parameters.text(text.toLowerCase()) : `${through}(${parameters.text(text)})`;

/** The same for an array of texts. */
export function foldedValues(
  texts: readonly string[],
  through: "fold" | "lower",
  parameters: Parameters,
): string {
  if (texts.every((text) => PLAIN.test(text)))
    return parameters.texts(texts.map((text) => text.toLowerCase()));
  return `ARRAY(SELECT ${through}(item) FROM unnest(${parameters.texts(texts)}) AS listed (item))`;
}

/** Returns SQL for the LIKE pattern of texts that contain, start or end with a text, ignoring case and accents. */
export function patternOf(text: string, match: "part" | "start" | "end", parameters: Parameters): string {
  const [before, after] = [match === "start" ? "" : "%", match === "end" ? "" : "%"];
  if (PLAIN.test(text))
    return parameters.text(before + text.toLowerCase().replace(/[\\%_]/g, "\\$&") + after);
  const joined = [before && `'${before}'`, `literal(${parameters.text(text)})`, after && `'${after}'`];
  return joined.filter((each) => each !== "").join(" || ");
}

/** Fewer letters and digits make no trigram. */
const SHORTEST = 3;

/**
 * Returns the condition that a folded column contains a text, ignoring case and accents. LIKE uses a trigram index, which a
 * short text would make read from end to end.
 */
export function containsSql(column: string, text: string, parameters: Parameters): string {
  const isShort = (text.match(/[\p{L}\p{N}]/gu) ?? []).length < SHORTEST;
  return isShort
    ? `strpos(${column}, ${foldedValue(text, "fold", parameters)}) > 0`
    : `${column} LIKE ${patternOf(text, "part", parameters)}`;
}
