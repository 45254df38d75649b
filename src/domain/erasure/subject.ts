import type { ImportMapping } from "../../contract/nouns/imports/import-mapping.ts";

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
