declare module "pg/lib/result.js" {
  /** Rows of one statement, parsed by pg's own type parsers. */
  export default class Result {
    rows: Record<string, unknown>[];
    fields: Array<{ name: string; dataTypeID: number; format: string }>;
    addFields(fields: Result["fields"]): void;
    parseRow(values: unknown[]): Record<string, unknown>;
    addRow(row: Record<string, unknown>): void;
  }
}

declare module "pg/lib/utils.js" {
  /** Turns a JavaScript value into what pg puts on the wire. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
