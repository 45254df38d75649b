import type { Actor } from "../../../contract/basics/actor.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { changeTitleSql } from "../../leads/write/change-events.ts";
import { type ArrayColumn, type ColumnArrays, columnArrays } from "../../sql/column-arrays.ts";
import type { NewEvent } from "./decide.ts";

/** A batch's events, and whether titles of theirs need the labels of the project's own fields. */
export interface EncodedEvents {
  arrays: ColumnArrays;
  labelled: boolean;
}

const COLUMNS: readonly ArrayColumn<NewEvent>[] = [
  ["id", "text", ({ id }) => id],
  ["lead_id", "text", ({ leadId }) => leadId],
  ["type", "text", ({ type }) => type],
  ["title", "text", ({ title }) => title],
  ["data", "jsonb", ({ data }) => data],
  ["external_id", "text", ({ key }) => key],
  ["milliseconds", "double precision", ({ at }) => at],
];

const LABELS = `SELECT json_object_agg('custom.' || key, label)::text AS labels FROM custom_field WHERE project_id = $1`;

/** Without any table that is read, since on a cluster the coordinator then numbers the events. */
const insertSql = (events: ColumnArrays): string =>
  `INSERT INTO event (project_id, id, lead_id, type, title, data, external_id, occurred_at, source, actor, change_id)
   SELECT $1, id, lead_id, type, coalesce(title, ${changeTitleSql("data ->> 'field'", "$4::jsonb ->> (data ->> 'field')")}), data,
     external_id, coalesce(to_timestamp(milliseconds / 1000), moment()), 'import', $2::jsonb, $3 FROM ${events.sql(5)} AS g`;

/** Encodes a batch's events while its leads are being stored. */
export function encodeEvents(events: readonly NewEvent[]): EncodedEvents | undefined {
  if (events.length === 0) return undefined;
  const labelled = events.some(({ title, data }) => title === null && data.includes('"custom.'));
  return { arrays: columnArrays(COLUMNS, events), labelled };
}

/** Stores encoded events. */
export async function writeEvents(
  tx: Transaction,
  { id: change, by: { projectId } }: Change,
  actor: Actor,
  events: EncodedEvents | undefined,
): Promise<void> {
  if (events === undefined) return;
  const [found] = events.labelled ? await tx.query<{ labels: string | null }>(LABELS, [projectId]) : [];
  const by = [projectId, JSON.stringify(actor), change, found?.labels ?? "{}"];
  await tx.query(insertSql(events.arrays), [...by, ...events.arrays.values]);
}
