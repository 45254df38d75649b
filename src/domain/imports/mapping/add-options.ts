import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordItems } from "../../changes/record-items.ts";
import { DEFINITION } from "../../custom-fields/field-input.ts";
import { type Meanings, statusItem } from "../../fields/sales.ts";

const [MOST_STATUSES, MOST_OPTIONS] = [50, 200];
const STATUSES = "SELECT statuses, meanings FROM project WHERE project_id = $1 FOR UPDATE";
const SET_STATUSES = "UPDATE project SET statuses = $2 WHERE project_id = $1";

/** Adds statuses to those of the project. */
export async function addStatuses(
  tx: Transaction,
  change: Change,
  projectId: string,
  more: readonly string[],
): Promise<void> {
  const [own] = await tx.query<{ statuses: string[]; meanings: Meanings }>(STATUSES, [projectId]);
  const { statuses: before = [], meanings = {} } = own ?? {};
  const statuses = [...new Set([...before, ...more])];
  if (statuses.length > MOST_STATUSES) throw tooMany("statuses", MOST_STATUSES);
  await tx.query(SET_STATUSES, [projectId, statuses]);
  await recordItems(tx, change, { fields_changed: 1 }, [
    {
      ...{ kind: "statuses", recordId: "statuses" },
      ...{ before: statusItem({ statuses: before, meanings }), after: statusItem({ statuses, meanings }) },
    },
  ]);
}

const LOCK = `SELECT options, ${DEFINITION} AS definition FROM custom_field f WHERE project_id = $1 AND key = $2 FOR UPDATE`;
const SET_OPTIONS = `WITH written AS (UPDATE custom_field SET options = $3 WHERE project_id = $1 AND key = $2 RETURNING *)
  SELECT ${DEFINITION} AS definition FROM written f`;

/** Adds options to those of a custom field. */
export async function addFieldOptions(
  tx: Transaction,
  change: Change,
  { projectId, key }: { projectId: string; key: string },
  more: readonly string[],
): Promise<void> {
  const [own] = await tx.query<{ options: string[]; definition: object }>(LOCK, [projectId, key]);
  if (own === undefined) return;
  const options = [...new Set([...own.options, ...more])];
  if (options.length > MOST_OPTIONS) throw tooMany("options", MOST_OPTIONS);
  const [written] = await tx.query<{ definition: object }>(SET_OPTIONS, [projectId, key, options]);
  if (written === undefined) return;
  await recordItems(tx, change, { fields_changed: 1 }, [
    { kind: "field", recordId: key, before: own.definition, after: written.definition },
  ]);
}

const tooMany = (what: string, most: number): Refusal =>
  new Refusal(
    "conflict",
    `too_many_${what}`,
    `At most ${most} ${what} are possible. Map some of them to others.`,
  );
