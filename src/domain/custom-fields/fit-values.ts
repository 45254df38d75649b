import type { CustomFieldType } from "../../contract/lists/column-types.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "../changes/change.ts";
import type { Home } from "../datasets/rows/cell.ts";
import { changeHidden } from "../leads/write/change-hidden.ts";
import { changeLeads } from "../leads/write/change-leads.ts";
import { may } from "../operation/may-sql.ts";
import type { Credential } from "../tenancy/credential.ts";
import { type CellReader, cellReader } from "../values/cell-readers.ts";
import { readDatetime } from "../values/read-datetime.ts";
import { keptPhone } from "../values/read-phone.ts";
import type { Value } from "../values/value.ts";

/** A larger change would lock its leads for too long. */
const MOST = 100_000;
const BATCH = 1_000;
const PAGE = 5_000;

const VALUES = `SELECT id, custom -> $2 AS value, deleted_at IS NULL AND merged_into_id IS NULL AS present FROM lead
  WHERE project_id = $1 AND custom ? $2 AND id > $3 ORDER BY id LIMIT ${PAGE}`;

const HOME = "SELECT default_country AS country, timezone FROM project WHERE project_id = $1";
const NOWHERE: Home = { country: null, timezone: "UTC" };

interface Fitted {
  id: string;
  value: Value;
  present: boolean;
}

/**
 * Converts all values of a field to another type or other options: "12" becomes 12, and each change is recorded. If
 * some cannot be converted, nothing changes: 409, with their number and five of their leads for those who
 * may read leads.
 */
export async function fitValues(
  tx: Transaction,
  change: Change,
  caller: Credential,
  key: string,
  type: CustomFieldType,
  options: readonly string[],
): Promise<void> {
  await tx.allow(60_000);
  const [home = NOWHERE] = await tx.query<Home>(HOME, [caller.projectId]);
  const changed = await readAll(tx, caller, key, readerOf(type, options, home));
  for (let at = 0; at < changed.length; at += BATCH) {
    const batch = changed.slice(at, at + BATCH);
    const patches = (isPresent: boolean) =>
      batch
        .filter(({ present }) => present === isPresent)
        .map(({ id, value }, place) => ({ place, id, patch: { custom: { [key]: value } } }));
    await changeLeads(tx, change, "set", patches(true));
    await changeHidden(tx, change, patches(false));
  }
}

/** Values that the change has not written, or that were changed since. */
const OTHERS = `SELECT l.id, l.custom -> $2 AS value FROM lead l
  WHERE l.project_id = $1 AND l.custom ? $2 AND l.id > $3
    AND NOT EXISTS (SELECT FROM event e WHERE e.project_id = $1 AND e.change_id = $4 AND e.lead_id = l.id
      AND e.data ->> 'field' = 'custom.' || $2 AND e.data -> 'to' = l.custom -> $2)
    AND NOT EXISTS (SELECT FROM change_item i WHERE i.project_id = $1 AND i.change_id = $4 AND i.record_id = l.id
      AND i.after -> ('custom.' || $2) = l.custom -> $2)
  ORDER BY l.id LIMIT ${PAGE}`;

/** Whether a field could have another type or other options, if the values that the change wrote were taken back. */
export async function othersFit(
  tx: Transaction,
  projectId: string,
  change: string,
  { key, type, options }: { key: string; type: CustomFieldType; options: readonly string[] },
): Promise<boolean> {
  await tx.allow(60_000);
  const [home = NOWHERE] = await tx.query<Home>(HOME, [projectId]);
  const read = readerOf(type, options, home);
  for (let after = "", more = true; more; ) {
    const rows = await tx.query<{ id: string; value: unknown }>(OTHERS, [projectId, key, after, change]);
    for (const { value } of rows) {
      const reading = read(String(value));
      if (!("value" in reading) || reading.value !== value) return false;
    }
    after = rows.at(-1)?.id ?? "";
    more = rows.length === PAGE;
  }
  return true;
}

/**
 * Returns the reader that is used when a lead is written: days start in the project's time zone, and phone numbers
 * are stored as E.164.
 */
function readerOf(
  type: CustomFieldType,
  options: readonly string[],
  { country, timezone }: Home,
): CellReader {
  if (type === "datetime") return (text) => readDatetime(text, timezone);
  const read = cellReader(type, options);
  if (type !== "phone") return read;
  return (text) => {
    const reading = read(text);
    return "value" in reading ? { value: keptPhone(text, country) } : reading;
  };
}

async function readAll(
  tx: Transaction,
  caller: Credential,
  key: string,
  read: CellReader,
): Promise<Fitted[]> {
  const changed: Fitted[] = [];
  const unfit: string[] = [];
  let misfits = 0;
  let after = "";
  for (let more = true; more; ) {
    const rows = await tx.query<{ id: string; value: unknown; present: boolean }>(VALUES, [
      caller.projectId,
      key,
      after,
    ]);
    for (const { id, value, present } of rows) {
      const reading = read(String(value));
      if (!("value" in reading)) {
        misfits += 1;
        if (unfit.length < 5) unfit.push(id);
      } else if (reading.value !== value) changed.push({ id, value: reading.value, present });
    }
    after = rows.at(-1)?.id ?? "";
    more = rows.length === PAGE && changed.length <= MOST;
  }
  if (misfits > 0)
    throw (await may(tx, caller, "leads:read")) ? valuesDoNotFit(misfits, unfit) : someDoNotFit();
  if (changed.length > MOST) {
    const message = `More than ${MOST.toLocaleString("en")} values would have to change. Create another field instead.`;
    throw new Refusal("conflict", "too_many_values", message);
  }
  return changed;
}

/** The same for callers who may not read leads. */
const someDoNotFit = (): Refusal =>
  new Refusal("conflict", "values_do_not_fit", "Leads have values that do not fit. Change those first.");

function valuesDoNotFit(count: number, ids: readonly string[]): Refusal {
  const message = `${count} leads have a value that does not fit. Change those first, such as the ones of ${ids.join(", ")}.`;
  return new Refusal("conflict", "values_do_not_fit", message, {
    faults: ids.map((id) => ({ path: "$.type", code: "does_not_fit", message: id })),
  });
}
