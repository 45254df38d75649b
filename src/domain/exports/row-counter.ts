import type { ExportFormat } from "../../contract/lists/files.ts";

const QUOTE = 34;
const LINE = 10;

/** Counts the rows of a file as it passes, without a CSV's header; line breaks inside quotes do not count. */
export function rowCounter(format: ExportFormat): {
  readonly count: number;
  take(chunk: Buffer): void;
} {
  let lines = 0;
  let quoted = false;
  return {
    /** A CSV starts, and JSON ends, with a line that is not a row. */
    get count() {
      return format === "ndjson" ? lines : Math.max(0, lines - 1);
    },
    take(chunk) {
      if (format !== "csv") {
        for (let at = chunk.indexOf(LINE); at >= 0; at = chunk.indexOf(LINE, at + 1)) lines += 1;
        return;
      }
      for (let at = 0; at < chunk.length; at += 1) {
        if (chunk[at] === QUOTE) quoted = !quoted;
        else if (chunk[at] === LINE && !quoted) lines += 1;
      }
    },
  };
}
