/** The fields that an event shows, in this order, apart from its lead. */
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

/** The columns of event `e` on its lead's own timeline, in answers whose shape never changes. */
export const TIMELINE_COLUMNS = FIELDS.map((name) => `e.${name}`).join(", ");

/** The columns of event `e` in a list of several leads' events. */
export const EVENT_COLUMNS = `${TIMELINE_COLUMNS.replace("e.type", "e.lead_id, e.type")}, e.version, e.change_id`;

/** A row of `event` as the JSON text of the record; without the right to read leads, only its ids. */
export function shownEvent(row: string, mayRead: string): string {
  const json = (columns: string) =>
    `(SELECT row_to_json(shown)::text FROM (SELECT ${columns.replaceAll("e.", `${row}.`)}) AS shown)`;
  return `CASE WHEN ${mayRead} THEN ${json(EVENT_COLUMNS)} ELSE ${json("e.id, e.lead_id")} END`;
}
