import type { Unit } from "../../../contract/lists/time.ts";
import type { Locale } from "../../../core/locale.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import type { SentenceWords } from "./sentence-words.ts";

/** The language of a sentence and the names that its project uses. */
export interface Speech {
  schema: ProjectSchema;
  locale: Locale;
  words: SentenceWords;
  /** Whether values are shown; they are customers' data. */
  withValues: boolean;
}

/** What stands for values that are not shown. */
export const HIDDEN = "…";

/** The most values that a sentence lists; the rest are counted. */
const LISTED = 10;

export const quote = (text: string): string => `“${text}”`;

/**
 * Returns one value, or several with commas and a last conjunction. Text that could be mistaken for the sentence's
 * own words is quoted.
 */
export function valuesOf(value: unknown, speech: Speech, last = speech.words.or, always = false): string {
  if (!speech.withValues) return HIDDEN;
  if (!Array.isArray(value)) return oneValue(value, speech, always);
  const items = value.slice(0, LISTED).map((item) => oneValue(item, speech, always));
  const rest = value.length - items.length;
  if (rest > 0) items.push(`+${new Intl.NumberFormat(speech.locale).format(rest)}`);
  const [end = quote(""), ...front] = items.reverse();
  return front.length === 0 ? end : `${front.reverse().join(", ")} ${last} ${end}`;
}

function oneValue(value: unknown, { locale, words }: Speech, always: boolean): string {
  if (typeof value === "number")
    return new Intl.NumberFormat(locale, { maximumSignificantDigits: 17 }).format(value);
  if (typeof value === "boolean") return value ? words.yes : words.no;
  const text = String(value);
  return !always && /^[\p{L}\p{N}][\p{L}\p{N}_.@+-]*$/u.test(text) ? text : quote(text);
}

const DAY_LENGTH = 10;

/** A time range: `in the last 30 days`, `between 2026-01-01 and 2026-03-31`. */
export function rangePhrase(op: string, value: unknown, { words, withValues }: Speech): string {
  const pattern = words.dateOps[op] ?? op;
  return pattern.replace("$v", () => {
    const isPlain = Array.isArray(value) || (typeof value !== "object" && op !== "in_period");
    if (isPlain && !withValues) return HIDDEN;
    if (Array.isArray(value)) return value.map(pointOf).join(` ${words.and} `);
    if (typeof value === "object" && value !== null) {
      const { n, unit } = value as { n: number; unit: Unit };
      return `${n} ${words.units[unit][n === 1 ? 0 : 1]}`;
    }
    return op === "in_period" ? periodOf(String(value), words) : pointOf(value);
  });
}

/** A day unchanged, a timestamp without its `T`. */
const pointOf = (value: unknown): string => {
  const text = String(value);
  return text.length === DAY_LENGTH ? text : text.replace("T", " ");
};

function periodOf(period: string, { days, periods }: SentenceWords): string {
  const [shift = "", unit = ""] = period.split("_");
  const ofShift: Record<string, string> = periods[shift] ?? {};
  return days[period] ?? ofShift[unit] ?? period;
}
