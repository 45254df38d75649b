import type { Transaction } from "../../db/database.ts";
import { type CopyCell, copyIn } from "./copy-in.ts";
import type { NewEvent } from "./decide.ts";

/** Whoever imports, as the timeline shows it. */
export interface Actor {
  type: string;
  id: string | null;
  label: string;
}

const COLUMNS = ["id", "lead_id", "type", "occurred_at", "title", "data", "external_id"];

/** Writes a batch's events, staged by COPY. */
export async function writeEvents(
  tx: Transaction,
  projectId: string,
  actor: Actor,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const list = COLUMNS.join(", ");
  await tx.query(`CREATE TEMP TABLE staged_event ON COMMIT DROP AS SELECT ${list} FROM event WITH NO DATA`);
  await copyIn(tx, "staged_event", COLUMNS, rowsOf(events));
  await tx.query(
    `INSERT INTO event (project_id, id, lead_id, type, occurred_at, title, data, external_id, source, actor)
     SELECT $1, id, lead_id, type, coalesce(occurred_at, moment()), title, data, external_id, 'import', $2::jsonb
     FROM staged_event`,
    [projectId, JSON.stringify(actor)],
  );
}

function* rowsOf(events: readonly NewEvent[]): Generator<CopyCell[]> {
  for (const { id, leadId, type, at, title, data, key } of events) {
    yield [id, leadId, type, at, title, JSON.stringify(data), key];
  }
}
