import type { Actor } from "../../../contract/nouns/basics/actor.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { changeTitleSql } from "../../leads/write/change-events.ts";
import { type CopyCell, copyChunks, copyIn } from "../../sql/copy-in.ts";
import { eventLoopYielder } from "../../values/event-loop.ts";
import type { NewEvent } from "./decide.ts";

const STAGE = `CREATE TEMP TABLE IF NOT EXISTS staged_event ON COMMIT DELETE ROWS AS
  SELECT id, lead_id, type, title, data, external_id, 0::double precision AS milliseconds FROM event WITH NO DATA`;
const COLUMNS = ["id", "lead_id", "type", "title", "data", "external_id", "milliseconds"];

/** Encodes a batch's events for COPY while its leads are being stored. */
export async function encodeEvents(events: readonly NewEvent[]): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  const yieldIfDue = eventLoopYielder();
  for (const chunk of copyChunks(rowsOf(events))) {
    chunks.push(chunk);
    await yieldIfDue();
  }
  return chunks;
}

/** Stores encoded events by COPY to a staging table. */
export async function writeEvents(
  tx: Transaction,
  { id: change, by: { projectId } }: Change,
  actor: Actor,
  chunks: readonly Buffer[],
): Promise<void> {
  if (chunks.length === 0) return;
  await tx.query(STAGE);
  await copyIn(tx, "staged_event", COLUMNS, chunks);
  await tx.query(
    `INSERT INTO event (project_id, id, lead_id, type, title, data, external_id, occurred_at, source, actor, change_id)
     SELECT $1, id, lead_id, type, coalesce(title, ${changeTitleSql("data ->> 'field'", "$1")}), data, external_id,
       coalesce(to_timestamp(milliseconds / 1000), moment()), 'import', $2::jsonb, $3 FROM staged_event`,
    [projectId, JSON.stringify(actor), change],
  );
}

function* rowsOf(events: readonly NewEvent[]): Generator<CopyCell[]> {
  for (const { id, leadId, type, title, data, key, at } of events) {
    yield [id, leadId, type, title, data, key, at];
  }
}
