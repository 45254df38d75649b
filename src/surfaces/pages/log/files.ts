import { isoMoment } from "../../../core/moment.ts";
import type { LogEntry } from "../../../domain/usage/read-log.ts";

/** Returns one row of a CSV file (RFC 4180), terminated by CRLF. */
const csvRow = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(",")}\r\n`;

/** Returns a cell, quoted if needed; an apostrophe keeps spreadsheets from running it as a formula. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns an entry of the audit log as files contain it. */
const fileEntry = (entry: LogEntry) => ({
  id: entry.id,
  at: isoMoment(entry.at),
  action: entry.action,
  actor: entry.actor,
  actor_name: entry.actorName,
  person_id: entry.personId,
  person_name: entry.personName,
  project_id: entry.projectId,
  address: entry.address,
  request_id: entry.requestId,
  data: entry.data,
  repeated: entry.repeated,
  repeated_at: entry.repeatedAt && isoMoment(entry.repeatedAt),
  repeated_from: entry.repeatedFrom,
});

/** A file format of the log: the text before the first entry, and each entry. */
export interface LogFormat {
  type: string;
  head: string;
  line(entry: LogEntry): string;
}

const COLUMNS =
  "id,at,action,actor,actor_name,person_id,person_name,project_id,address,request_id,data,repeated,repeated_at,repeated_from";

/** The formats in which an audit log can be exported. */
export const LOG_FORMATS: Readonly<Record<"csv" | "ndjson", LogFormat>> = {
  csv: {
    type: "text/csv; charset=utf-8",
    head: `${COLUMNS}\r\n`,
    line: (entry) => csvRow(Object.values(fileEntry(entry))),
  },
  ndjson: {
    type: "application/x-ndjson; charset=utf-8",
    head: "",
    line: (entry) => `${JSON.stringify(fileEntry(entry))}\n`,
  },
};
