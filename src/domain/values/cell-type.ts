/** How the text of a cell is read. */
export type CellType =
  | "raw"
  | "text"
  | "integer"
  | "number"
  | "boolean"
  | "date"
  | "datetime"
  | "email"
  | "phone"
  | "url"
  | "enum"
  | "list";
