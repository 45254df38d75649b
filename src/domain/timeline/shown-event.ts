/** What an event shows, in this order, besides whose it is. */
const FIELDS = [
  "id",
  "type",
  "occurred_at",
  "recorded_at",
  "source",
  "actor",
  "title",
  "data",
  "external_id",
  "merged_from",
];

/** The columns of the event `e` on its lead's own timeline. */
export const TIMELINE_COLUMNS = FIELDS.map((name) => `e.${name}`).join(", ");

/** The columns of the event `e` among those of other leads. */
export const EVENT_COLUMNS = TIMELINE_COLUMNS.replace("e.type", "e.lead_id, e.type");

/** A row of `event` as the JSON text of the record; only which one it is for whoever may not read leads. */
export function shownEvent(row: string, mayRead: string): string {
  const json = (columns: string) =>
    `(SELECT row_to_json(shown)::text FROM (SELECT ${columns.replaceAll("e.", `${row}.`)}) AS shown)`;
  return `CASE WHEN ${mayRead} THEN ${json(EVENT_COLUMNS)} ELSE ${json("e.id, e.lead_id, e.type")} END`;
}
