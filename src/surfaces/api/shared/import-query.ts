import type { Written } from "./input.ts";

/** The query parameters that describe an uploaded file. */
export const FILE_QUERY: Readonly<Record<string, Written>> = {
  file_name: "text",
  format: "text",
  encoding: "text",
  delimiter: "text",
  header: "boolean",
  sheet: "text",
};

/** The query parameters that say how a file's rows are written to a dataset. */
export const ROWS_QUERY: Readonly<Record<string, Written>> = {
  ...FILE_QUERY,
  mode: "text",
  dates: "text",
  decimals: "text",
  mapping: "text",
};
