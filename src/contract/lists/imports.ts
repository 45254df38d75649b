/** The states of an import that callers see. */
export const IMPORT_STATES = [
  ...(["ready", "checking", "waiting", "running", "done", "failed"] as const),
  ...(["cancelled", "undoing", "undone"] as const),
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** The formats of a file to import. */
export const FILE_FORMATS = ["csv", "ndjson", "xlsx"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** The encodings of a text file. */
export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** What separates the cells of a CSV file. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;

/** The orders of day and month in dates that do not start with the year. */
export const DATE_ORDERS = ["dmy", "mdy"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The decimal separators of numbers. */
export const DECIMALS = ["point", "comma"] as const;
export type Decimals = (typeof DECIMALS)[number];

/** The programs whose files are recognized. */
export const PRESET_NAMES = [
  ...(["hubspot", "salesforce", "pipedrive"] as const),
  ...(["mailchimp", "meta_lead_ads", "rd_station"] as const),
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];
