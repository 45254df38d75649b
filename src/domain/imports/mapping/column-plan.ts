import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { CellType } from "../../../contract/lists/column-types.ts";
import type { ImportFormat } from "../../../contract/lists/files.ts";
import { SHARED_FIELDS } from "../../../contract/lists/opt-outs.ts";
import { ENTRY_TYPES } from "../../../contract/lists/written-fields.ts";
import { malformed } from "../../../core/refusal.ts";
import { ownerReader } from "../../fields/owners.ts";
import type { CellReader, Reading } from "../../values/cell-readers.ts";
import { fileReader, withoutEscape } from "../../values/file-reader.ts";
import { keptPhone } from "../../values/read-phone.ts";
import { severalEmails, severalPhones } from "../../values/several.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { type ColumnStyle, styleOf } from "./column-style.ts";
import type { ImportTarget } from "./import-target.ts";
import { readOptOut } from "./opt-outs.ts";
import { compileTemplate, type Template } from "./template.ts";

/** A field that each row can fill: the source of its text, and its reader. */
interface FieldPlan {
  field: string;
  /** The column header that faults name. */
  column: string;
  text: Template;
  /** Undefined leaves the field blank. */
  read(text: string): Reading | undefined;
  /** Of an e-mail or phone: the texts of a cell that holds several. All but the first go to the list. */
  several?: { of(text: string): string[]; list: SeveralField };
}

/** The lists that further e-mails and phones of a cell go to. */
export type SeveralField = "emails" | "phones";

export interface ColumnPlan {
  fields: FieldPlan[];
  skippedColumns: string[];
  columnOf(header: string): number;
}

/** Applies a mapping to a file's columns; refuses unknown columns and fields. */
export function planColumns(
  profiles: readonly ColumnProfile[],
  mapping: ImportMapping,
  target: ImportTarget,
  format: ImportFormat,
): ColumnPlan {
  const header = profiles.map(({ name }) => name);
  const columnOf = (name: string, path = "$.columns") => {
    const index = header.indexOf(name);
    if (index < 0)
      throw malformed([{ path, code: "unknown_column", message: `"${name}" is not a column of the file` }]);
    return index;
  };
  for (const column of Object.keys(mapping.skip_if ?? {})) columnOf(column, `$.skip_if.${column}`);
  const fields: FieldPlan[] = [];
  const isCsv = format !== "ndjson";
  const plan = (
    field: string,
    column: string,
    text: Template,
    path: string,
    style: ColumnStyle,
    escaped: boolean,
  ) => {
    const known = field === "id" && target.rows === null ? LEAD_ID : target.fields.get(field);
    const isShared = target.rows === null && SHARED_FIELDS.has(field);
    if (known === undefined || (!isShared && fields.some((other) => other.field === field))) {
      const [code, what] = known === undefined ? ["unknown_field", "no such"] : ["field_twice", "a second"];
      throw malformed([{ path, code, message: `${what} field "${field}"` }]);
    }
    const entries = target.rows === null ? ENTRY_TYPES[field] : undefined;
    const read = fileReader(known.type, known.options, { ...style, escaped, entries });
    fields.push({ field, column, text, ...readingOf(field, known.type, read, target) });
  };
  const place = ([column]: readonly [string, unknown]) => header.indexOf(column);
  // In the order of the file, because faults are reported in the order of the fields.
  for (const [column, rule] of Object.entries(mapping.columns).sort((a, b) => place(a) - place(b))) {
    const path = `$.columns.${column}`;
    const { field, values = {}, prefix = "", unknown } = typeof rule === "string" ? { field: rule } : rule;
    const index = columnOf(column, path);
    const meanings = new Map(Object.entries(values));
    const style = styleOf(column, profiles, mapping, target);
    const own = (cell = "") => (isCsv ? withoutEscape(cell.trim()) : cell.trim());
    const text: Template = ({ cells }) => meaning(meanings, without(prefix, own(cells[index])));
    plan(field, column, text, path, style, false);
    const planned = fields.at(-1);
    if (planned !== undefined && unknown === "blank") planned.read = blankIfUnknown(planned.read);
  }
  for (const [field, text] of Object.entries(mapping.set ?? {})) {
    const style = styleOf(undefined, profiles, mapping, target);
    plan(field, field, compileTemplate(text, columnOf), `$.set.${field}`, style, isCsv);
  }
  if (fields.length === 0) {
    throw malformed([
      {
        path: "$.columns",
        code: "no_columns",
        message: "must map at least one column of the file to a field",
      },
    ]);
  }
  return { fields, columnOf, skippedColumns: skippedIn(profiles, mapping).map(({ name }) => name) };
}

/** Returns the columns that a mapping does not use, with the number of their cells that are not blank. */
function skippedIn(
  profiles: readonly ColumnProfile[],
  mapping: ImportMapping,
): { name: string; filled: number }[] {
  const used = usedHeaders(mapping);
  return profiles.flatMap(({ name, filled }) => (used.has(name) ? [] : [{ name, filled }]));
}

/** Returns how a field's cells are read, besides their type: lead fields have rules of their own. */
function readingOf(
  field: string,
  type: CellType,
  read: CellReader,
  { rows, owners, country }: ImportTarget,
): Pick<FieldPlan, "read" | "several"> {
  if (rows !== null) return { read };
  switch (field) {
    case "email":
      return { read, several: { of: severalEmails, list: "emails" } };
    case "phone":
      return { read, several: { of: severalPhones, list: "phones" } };
    case "emails":
      return { read: (text) => read(severalEmails(text).join(";")) };
    case "phones":
      return { read: (text) => read(severalPhones(text).join(";")) };
    case "opt_out":
    case "do_not_contact":
      return { read: (text) => readOptOut(field, text, read) };
    case "owner_id":
      return { read: ownerReader(owners) };
    default:
      return { read: type === "phone" && field.startsWith("custom.") ? keeping(read, country) : read };
  }
}

/** Returns the columns with content that an import would leave out. */
export const lostIn = (profiles: readonly ColumnProfile[], mapping: ImportMapping) =>
  skippedIn(profiles, mapping).filter(({ filled }) => filled > 0);

/** The faults of values that a field does not have. */
const UNKNOWN: ReadonlySet<string> = new Set(["unknown_option", "not_a_member"]);

const blankIfUnknown =
  (read: FieldPlan["read"]): FieldPlan["read"] =>
  (text) => {
    const reading = read(text);
    return reading !== undefined && "code" in reading && UNKNOWN.has(reading.code) ? undefined : reading;
  };

/** Custom phone fields store numbers as they do when written as JSON. */
const keeping =
  (read: CellReader, country: string | null): CellReader =>
  (text) => {
    const reading = read(text);
    return "value" in reading ? { value: keptPhone(String(reading.value), country) } : reading;
  };

const LEAD_ID = { type: "text" as const, options: [] };

const without = (prefix: string, text: string): string =>
  prefix !== "" && text.startsWith(prefix) ? text.slice(prefix.length).trim() : text;

const meaning = (meanings: Map<string, string>, text: string) => meanings.get(text) ?? text;

function usedHeaders(mapping: ImportMapping): Set<string> {
  const templates = [
    ...Object.values(mapping.set ?? {}),
    ...(mapping.events ?? []).flatMap((rule) => [rule.title, rule.key, ...Object.values(rule.data ?? {})]),
  ];
  return new Set([
    ...[...Object.keys(mapping.columns), ...Object.keys(mapping.skip_if ?? {})],
    ...(mapping.calendar === undefined ? [] : [mapping.calendar.day, mapping.calendar.month]),
    ...(mapping.events ?? []).flatMap((rule) => rule.times ?? []),
    ...templates.flatMap((text) => [...text.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "")),
  ]);
}
