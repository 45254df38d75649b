import type { ImportMapping } from "../../contract/imports/import-mapping.ts";
import { compileTemplate } from "../imports/mapping/template.ts";
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

/** Returns what may be external ids in a row of a file, the `record`th. */
export type ExternalsOf = (cells: readonly string[], record: number) => string[];

const EVERY: ExternalsOf = (cells) => cells.map((cell) => cell.trim());

/** The digits by which a number is searched for. Shorter numbers are compared as a whole. */
const END = 8;
const SHORT = 7;

/** The value of a digit in any script, whose digits stand in a row from 0. */
const digitsOf = (text: string): string =>
  text.replace(/\P{Nd}/gu, "").replace(/[^0-9]/gu, (digit) => {
    let zero = digit.codePointAt(0) ?? 0;
    const value = zero;
    while (value - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(value - zero);
  });

/** Returns a test whether a row's cells carry one of the subject's identities, however phones are written. */
export function cellMatcher(
  subject: Subject,
): (cells: readonly string[], externals?: { of: ExternalsOf; record: number }) => boolean {
  const emails = subject.emails.map((email) => email.toLowerCase());
  const ends = subject.phones.map(endOf);
  const least = Math.min(...ends.map((end) => end.length));
  const known = new Set(subject.externals);
  const isNumber = (digits: string, end: string): boolean =>
    end.length >= SHORT ? digits.includes(end) : digits.replace(/^0+/, "") === end;
  const numbers = new Set(subject.phones.map(digitsOf));
  const holds = (cell: string): boolean => {
    if (emails.length > 0 && cell.includes("@")) {
      const text = cell.toLowerCase();
      if (emails.some((email) => text.includes(email))) return true;
    }
    if (cell.length >= least) {
      const digits = digitsOf(cell);
      if (digits.length >= least && ends.some((end) => isNumber(digits, end))) return true;
      if (numbers.has(digits.replace(/^0+/, ""))) return true;
    }
    return cell.includes("lead_") && subject.leads.some((id) => cell.includes(id));
  };
  return (cells, externals) =>
    cells.some(holds) ||
    (known.size > 0 &&
      externals?.of(cells, externals.record).some((text) => isExternal(text, known)) === true);
}

/** A prefix of the column may precede the id. */
function isExternal(text: string, known: ReadonlySet<string>): boolean {
  if (known.has(text)) return true;
  for (const id of known) if (id.length >= 6 && text.endsWith(id)) return true;
  return false;
}

/** Returns what a mapping reads as external ids from a file's rows; without a mapping, every cell may be one. */
export function externalsIn(header: readonly string[], mapping: ImportMapping | null): ExternalsOf {
  if (mapping === null) return EVERY;
  const all: ExternalsOf[] = [];
  const { columns, set } = mapping;
  header.forEach((name, i) => {
    const rule = Object.hasOwn(columns, name) ? columns[name] : undefined;
    const { field, prefix = "" } = typeof rule === "object" ? rule : { field: rule };
    if (field !== "external_id") return;
    all.push((cells) => {
      const text = (cells[i] ?? "").trim();
      return text.startsWith(prefix) ? [text, text.slice(prefix.length).trim()] : [text];
    });
  });
  if (set?.external_id !== undefined) {
    const made = compileTemplate(set.external_id, (name) => header.indexOf(name));
    all.push((cells, record) => [made({ cells, record }).trim()]);
  }
  return (cells, record) => all.flatMap((each) => each(cells, record));
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
