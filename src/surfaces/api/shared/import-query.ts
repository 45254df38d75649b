import type { Written } from "./input.ts";

/** What an upload says of its file in the query. */
export const FILE_QUERY: Readonly<Record<string, Written>> = {
  file_name: "text",
  format: "text",
  encoding: "text",
  delimiter: "text",
  header: "boolean",
  sheet: "text",
};

/** And of how its rows are written into a dataset. */
export const ROWS_QUERY: Readonly<Record<string, Written>> = {
  ...FILE_QUERY,
  mode: "text",
  dates: "text",
  decimals: "text",
  mapping: "text",
};
