import type { Needs } from "../../../core/permission.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import type { JobRow } from "../../jobs/job-record.ts";
import { memberOperation, requiring } from "../../operation/operation.ts";
import { againIfTaken } from "../identity/external-id.ts";
import { readWith } from "../write/read-lead.ts";
import { isConditional } from "../write/upsert-lead.ts";
import { changeByFilter, type FilterResult, MOST_AT_ONCE } from "./bulk-by-filter.ts";
import { bulkChange } from "./bulk-change.ts";
import { BulkInput, checkBulk } from "./bulk-input.ts";
import { readItems } from "./bulk-items.ts";
import { startBulk } from "./bulk-job.ts";
import { type BulkResult, changeItems, type ItemsToWrite, needsLock } from "./bulk-results.ts";
import { rehearse } from "./preview-bulk.ts";

/** What a filter or a condition finds, and what a dry run would do, tells what is stored. */
const READ_AND_WRITE: Needs = { any: ["leads:write"], all: ["leads:read"] };

/** A dry run takes everything back. */
const NO_CHANGE = { changes: false };

/** The results of the items in order, or the counts of a filter, or the job that makes the changes. */
export type BulkAnswer =
  | ({ op: string; dry_run: boolean; change_id: string | null } & ({ results: BulkResult[] } | FilterResult))
  | { job: JobRow };

/**
 * Changes many leads in one transaction. An invalid item does not affect the others. If a filter finds more leads
 * than one transaction may change, a job does it.
 */
export const bulkLeads = memberOperation({
  name: "leads.bulk",
  needs: "leads:write",
  input: BulkInput,
  async run(asked, input): Promise<BulkAnswer> {
    const { op, dry_run: dryRun = false, items } = input;
    const tells = items === undefined || dryRun || (op === "upsert" && items.some(isConditionalItem));
    const context = tells ? requiring(asked, { ...READ_AND_WRITE, ...(dryRun && NO_CHANGE) }) : asked;
    const { db, caller } = context;
    if (items === undefined) {
      if ((input.expected_count ?? 0) > MOST_AT_ONCE && !dryRun)
        return { job: await startBulk(context, input) };
      const change = bulkChange(context, input);
      const work = await changeByFilter(context, change, input);
      const outcome = await againIfTaken(() => (dryRun ? rehearse(db, work) : db.transaction(work)));
      if (dryRun) change.made = false;
      return { op, dry_run: dryRun, change_id: madeId(change), ...outcome };
    }
    const readAll = (schema: WritingSchema): ItemsToWrite => {
      checkBulk(input);
      const { country, refusesShared } = schema;
      const read = readItems(input, items, schema);
      const { fill = false, clear_opt_out: clears = false } = input;
      return { op, fill, keepsOptOut: !clears, country, refusesShared, items: read };
    };
    const gives = op === "upsert" ? undefined : "addresses";
    const given = await readWith(context, [...items, input.set], readAll, gives);
    const change = bulkChange(context, input, given);
    const work = (tx: Transaction) => changeItems(tx, change, caller, given);
    return await againIfTaken(async () => {
      if (dryRun) {
        const results = (await rehearse(db, work)).map(withoutNewId);
        change.made = false;
        return { op, dry_run: true, change_id: null, results };
      }
      const results = needsLock(given)
        ? await db.transaction(work)
        : await changeItems(db, change, caller, given);
      return { op, dry_run: false, change_id: madeId(change), results };
    });
  },
});

const madeId = ({ id, made }: Change): string | null => (made ? id : null);

const isConditionalItem = (item: unknown): boolean =>
  typeof item === "object" && item !== null && isConditional(item);

/** A lead whose creation was rolled back has no id. */
const withoutNewId = (result: BulkResult): BulkResult =>
  result.outcome === "created" ? { ...result, id: null } : result;
