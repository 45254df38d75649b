import type { StatementScope } from "../filter/sql/statement-scope.ts";
import { EVENT_COLUMNS } from "./shown-event.ts";

/** The last event of a page. */
export type Mark = readonly [at: string, id: string];

/** A page of events; one more than the limit is `found` if there is a next page. */
export interface EventsRow {
  json: string | null;
  found: number;
  last: Mark | null;
}

interface Page {
  limit: number;
  after: Mark | undefined;
  direction: "ASC" | "DESC";
  /** Further columns of each event, and of the page, each after a comma. */
  columns?: string;
  results?: string;
}

/** A statement that selects a page of the events `e` that pass a condition. */
export function eventsPageSql(
  where: string,
  { parameters }: StatementScope,
  { limit, after, direction, columns = "", results = "" }: Page,
): string {
  const behind =
    after === undefined
      ? ""
      : ` AND (e.occurred_at, e.id) ${direction === "ASC" ? ">" : "<"} (${parameters.text(after[0])}::timestamptz, ${parameters.text(after[1])})`;
  const most = parameters.add(limit);
  return `SELECT array_to_string((array_agg(line))[1:${most}::integer], ',') AS json, count(*)::integer AS found,
      (array_agg(mark))[${most}::integer] AS last${results}
    FROM (SELECT row_to_json(shown)::text AS line, jsonb_build_array(occurred_at::text, id) AS mark FROM (
      SELECT ${EVENT_COLUMNS}${columns} FROM event e WHERE ${where}${behind}
      ORDER BY e.occurred_at ${direction}, e.id ${direction} LIMIT ${most}::bigint + 1) AS shown) AS lines`;
}
