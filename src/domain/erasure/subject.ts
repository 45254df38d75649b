import type { ImportMapping } from "../../contract/nouns/imports/import-mapping.ts";
import { e164Of, internationalOf } from "../values/read-phone.ts";

/** Who is erased or exported: leads, and the identities by which files and datasets mean the same person. */
export interface Subject {
  /** Ids of leads: deleted and merged ones too. */
  leads: string[];
  /** E-mail addresses in lower case. */
  emails: string[];
  /** Phone numbers in E.164. */
  phones: string[];
  /** External ids of the leads. */
  externals: string[];
  /** The project's country, by which numbers without a country code are read. */
  country: string | null;
}

/** The columns of a file whose cells are external ids; every column if that is unknown. */
export interface Externals {
  has(column: number): boolean;
}

const EVERY: Externals = { has: () => true };
const NONE: Externals = { has: () => false };

/** The number of a phone without its country code, which files often leave out, has at least eight digits. */
const END = 8;

/** Returns a test whether a row's cells carry one of the subject's identities, however phones are written. */
export function cellMatcher(subject: Subject): (cells: readonly string[], externals?: Externals) => boolean {
  const emails = subject.emails.map((email) => email.toLowerCase());
  const ends = subject.phones.map((phone) => phone.replace(/\D/g, "").slice(-END));
  const known = new Set(subject.externals);
  const holds = (cell: string): boolean => {
    if (emails.length > 0 && cell.includes("@")) {
      const text = cell.toLowerCase();
      if (emails.some((email) => text.includes(email))) return true;
    }
    if (ends.length > 0 && cell.length >= END) {
      const digits = cell.replace(/\D/g, "");
      if (digits.length >= END && ends.some((end) => digits.includes(end))) return true;
    }
    return cell.includes("lead_") && subject.leads.some((id) => cell.includes(id));
  };
  return (cells, externals = NONE) =>
    cells.some((cell, i) => holds(cell) || (known.size > 0 && externals.has(i) && isExternal(cell, known)));
}

/** A prefix of the column may precede the id. */
function isExternal(cell: string, known: ReadonlySet<string>): boolean {
  const text = cell.trim();
  if (known.has(text)) return true;
  for (const id of known) if (id.length >= 6 && text.endsWith(id)) return true;
  return false;
}

/** Returns which columns of a file its mapping reads as external ids. */
export function externalsIn(header: readonly string[], mapping: ImportMapping | null): Externals {
  if (mapping === null) return EVERY;
  const columns = new Set<number>();
  header.forEach((name, i) => {
    const rule = Object.hasOwn(mapping.columns, name) ? mapping.columns[name] : undefined;
    const field = typeof rule === "object" ? rule.field : rule;
    const made = mapping.set?.external_id?.includes(`{${name}}`) === true;
    if (field === "external_id" || made) columns.add(i);
  });
  return columns;
}

const inPattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** Patterns that find, among more, texts with the addresses (in lower case), and the digits of texts with the numbers. */
export const patternsOf = ({
  emails,
  phones,
}: Pick<Subject, "emails" | "phones">): [emails: string[], digits: string[]] => [
  emails.map((email) => `%${inPattern(email)}%`),
  phones.map((phone) => `%${endOf(phone)}%`),
];

/** The last digits of a number that stand in all its spellings. */
const endOf = (phone: string): string =>
  (internationalOf(phone)?.national ?? phone.replace(/\D/g, "")).slice(-END);

/** What an address may consist of, so that `ana@x.org` is not found in `mariana@x.org` or `ana@x.org.br`. */
const BEFORE = "(?<![\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-])";
const AFTER = "(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])";
const NUMBERS = /[+\uff0b(]?\p{Nd}[\p{Nd}\s()./-]{4,}/gu;

/** Returns a test whether texts name the subject: exactly its addresses, numbers or leads, and nobody else's. */
export function mentionMatcher({
  leads,
  emails,
  phones,
  country,
}: Subject): (texts: readonly string[]) => boolean {
  const addresses = emails.map(
    (email) => new RegExp(BEFORE + email.toLowerCase().replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") + AFTER, "u"),
  );
  const numbers = new Set(phones);
  const isNumber = (text: string): boolean =>
    numbers.has(e164Of(text, country) ?? `+${text.replace(/\D/g, "")}`);
  const names = (text: string): boolean => {
    if (addresses.length > 0 && text.includes("@")) {
      const lower = text.toLowerCase();
      if (addresses.some((address) => address.test(lower))) return true;
    }
    if (numbers.size > 0 && /\p{Nd}/u.test(text))
      if (isNumber(text.trim()) || text.match(NUMBERS)?.some((part) => isNumber(part.trim())) === true)
        return true;
    return text.includes("lead_") && leads.some((id) => text.includes(id));
  };
  return (texts) => texts.some(names);
}

/** Returns JSON in which every string, and every key, that carries an identity of the subject is replaced. */
export function withoutMentions(value: unknown, matches: (cells: readonly string[]) => boolean): unknown {
  if (typeof value === "string") return matches([value]) ? standIn(value) : value;
  if (Array.isArray(value)) return value.map((each) => withoutMentions(each, matches));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each], i) => [
      matches([key]) ? `${ERASED} ${i + 1}` : key,
      withoutMentions(each, matches),
    ]),
  );
}

const ERASED = "(erased)";

/** What stands where an identity stood: a value of the same form, so that a filter stays valid, of a range kept for fiction. */
function standIn(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return "erased@erased.invalid";
  return /^[\d\s().+/-]+$/.test(text) ? "+12025550100" : ERASED;
}
