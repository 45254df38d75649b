/** The formats of exported files. */
export const EXPORT_FORMATS = ["csv", "ndjson", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The formats of imported files. */
export const IMPORT_FORMATS = ["csv", "ndjson", "xlsx"] as const;
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

/** The encodings of a text file. */
export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What separates the cells of a CSV file. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;

/** The programs whose files are recognized. */
export const PRESET_NAMES = [
  ...(["hubspot", "salesforce", "pipedrive"] as const),
  ...(["mailchimp", "meta_lead_ads", "rd_station", "google_ads"] as const),
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];
