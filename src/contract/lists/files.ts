/** The formats of exported files. */
export const EXPORT_FORMATS = ["csv", "ndjson", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The formats of imported files; json is an array of objects. */
export const IMPORT_FORMATS = ["csv", "ndjson", "json", "xlsx"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** The order of day and month in dates that do not start with their year. */
export const DATE_ORDERS = ["dmy", "mdy"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The decimal separator of numbers. */
export const DECIMALS = ["point", "comma"] as const;
export type Decimals = (typeof DECIMALS)[number];

/** What the cells of a column show of their style; null if they show nothing. */
export type FoundStyle<Style extends DateOrder | Decimals> = Style | "ambiguous" | "mixed" | null;

/** The style that a column's cells show clearly. */
export const sureStyle = <Style extends DateOrder | Decimals>(
  found: FoundStyle<Style> | undefined,
): Style | undefined =>
  found === "ambiguous" || found === "mixed" || found === null || found === undefined
    ? undefined
    : (found as Style);

/** How the field of a file's column was guessed. */
export const GUESSED_BY = ["preset", "name", "words"] as const;

/** The encodings of a text file: those of the Encoding Standard that decode text, by their names there, in lower case. */
export const ENCODINGS = [
  ...(["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "windows-1251"] as const),
  ...(["windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257"] as const),
  ...(["windows-1258", "windows-874", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5"] as const),
  ...(["iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14"] as const),
  ...(["iso-8859-15", "koi8-r", "koi8-u", "ibm866", "macintosh", "x-mac-cyrillic"] as const),
  ...(["shift_jis", "euc-jp", "iso-2022-jp", "gbk", "gb18030", "big5", "euc-kr"] as const),
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Names that people use and the Encoding Standard does not know. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ "mac roman": "macintosh", macroman: "macintosh", "mac-roman": "macintosh", mac: "macintosh" },
  ...{ cp1250: "windows-1250", cp932: "shift_jis", cp936: "gbk", cp949: "euc-kr", "utf-16": "utf-16le" },
};

/** Returns the encoding with a name that the Encoding Standard or people have for it, such as `latin1` or `Shift_JIS`; undefined if it is unknown. */
export function encodingNamed(name: string): Encoding | undefined {
  const plain = name.trim().toLowerCase();
  try {
    const { encoding } = new TextDecoder(OTHER_NAMES[plain] ?? plain);
    return ENCODINGS.find((each) => each === encoding);
  } catch {
    return undefined;
  }
}

/** What separates the cells of a CSV file. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;

/** The programs whose files are recognized. */
export const PRESET_NAMES = [
  ...(["hubspot", "salesforce", "pipedrive"] as const),
  ...(["mailchimp", "meta_lead_ads", "rd_station", "google_ads"] as const),
  ...(["google_contacts", "outlook", "linkedin", "zoho", "apollo", "twenty"] as const),
  ...(["activecampaign", "suitecrm", "meta_leads_center"] as const),
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** What an import asks. */
export const QUESTION_KINDS = [
  ...(["encoding", "header_row", "program", "identity", "two_columns", "main_phone", "main_email"] as const),
  ...(["option", "date_order", "decimals", "currency", "opt_out", "rows", "note", "unused_column"] as const),
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];
