import type { Locale } from "../../../core/locale.ts";
import { labelOf } from "../../fields/field-label.ts";
import type { Field } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import type { Filter, Said } from "../tree/filter.ts";
import { datasetSentence, eventSentence } from "./sentence-event.ts";
import { HIDDEN, quote, rangePhrase, type Speech, valuesOf } from "./sentence-values.ts";
import { SENTENCE_WORDS } from "./sentence-words.ts";

/**
 * Returns a filter as a sentence, such as `status is won and company contains “acme”`; without values,
 * `status is … and company contains …`. Relative times stay, since they name nobody.
 */
export function sentenceOf(filter: Filter, schema: ProjectSchema, locale: Locale, withValues = true): string {
  const speech: Speech = { schema, locale, words: SENTENCE_WORDS[locale], withValues };
  return said(filter, speech, false);
}

/** With `within`, a group of several conditions is in parentheses. */
function said(filter: Filter, speech: Speech, within: boolean): string {
  const { words } = speech;
  switch (filter.kind) {
    case "and":
    case "or": {
      const [only, ...others] = filter.of;
      if (only === undefined) return filter.kind === "and" ? words.everybody : words.nobody;
      if (others.length === 0) return said(only, speech, within);
      const joined = filter.of.map((part) => said(part, speech, true)).join(` ${words[filter.kind]} `);
      return within ? `(${joined})` : joined;
    }
    case "not":
      return `${words.not} (${said(filter.of, speech, false)})`;
    case "view":
      return `${words.view} ${speech.withValues ? quote(filter.name) : HIDDEN}`;
    case "words":
      return `${words.words} ${speech.withValues ? filter.words.map(quote).join(` ${words.and} `) : HIDDEN}`;
    case "event":
      return eventSentence(filter, speech, (where) => said(where, speech, false));
    case "dataset":
      return datasetSentence(filter, speech, (where) => said(where, speech, false));
    case "condition":
      return `${shortLabel(filter.field, speech)} ${conditionPhrase(filter.field, filter.said, speech)}`;
  }
}

/** The label in the middle of a sentence: `First name` becomes `first name`, `UTM source` stays. */
function shortLabel(field: Field, { schema, locale }: Speech): string {
  const label = labelOf(field, schema, locale);
  return field.key === undefined && /^\p{Lu}(\p{Ll}|-)/u.test(label)
    ? label.charAt(0).toLowerCase() + label.slice(1)
    : label;
}

function conditionPhrase(field: Field, { op, value }: Said, speech: Speech): string {
  const { words } = speech;
  if (field.type === "tags") return phrase(words.tagOps[op], valuesOf(value, speech));
  if (field.type === "date" && words.dateOps[op] !== undefined) return rangePhrase(op, value, speech);
  if (op === "between") return phrase(words.ops[op], valuesOf(value, speech, words.and));
  return phrase(words.ops[op], valuesOf(value, speech, words.or, /contain|with/.test(op)));
}

const phrase = (pattern = "", value: string): string => pattern.replace("$v", () => value);
