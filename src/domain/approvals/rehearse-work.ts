import { malformed, Refusal } from "../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../db/pool/database.ts";
import { RehearsalDatabase } from "../../db/pool/rehearsal.ts";
import { undoChange } from "../history/undo-change.ts";
import { checkCount, MOST_AT_ONCE } from "../leads/bulk/bulk-by-filter.ts";
import type { BulkInput as Bulk } from "../leads/bulk/bulk-input.ts";
import { previewBulk, rehearse } from "../leads/bulk/preview-bulk.ts";
import { type MemberOperation, operationDoor } from "../operation/operation.ts";
import type { Service } from "../operation/service/service.ts";
import type { Credential } from "../tenancy/credential.ts";
import { APPROVABLE, type Approvable } from "./approvable.ts";
import { PLAIN_RECORD, type Preview } from "./preview.ts";
import { readRecords } from "./read-records.ts";
import { issueCredential, type Work } from "./work.ts";

/** How a rehearsal shows what it found. */
export interface Shown {
  /** Who may read it; undefined for the application itself. */
  reader?: Credential;
  /** The most records to show. */
  most: number;
}

/**
 * Performs a proposed work as the application would, reads what it did, and takes everything back. Refuses what the work
 * would be refused with, and work that would do nothing.
 */
export async function rehearseWork(
  service: Service,
  db: ProjectDb,
  work: Work,
  shown: Shown,
): Promise<Preview> {
  const on = async (run: (stage: Stage) => Promise<Preview | undefined>) =>
    await rehearse(db, async (tx) => ({ preview: await run(await stageOf(service, tx, work, shown)) }));
  if (!isLargeBulk(work)) {
    const { preview } = await on(rehearsed);
    if (preview !== undefined) return preview;
  }
  const { preview } = await on(work.operation === "leads.bulk" ? bulkSample : undoSample);
  if (preview === undefined) throw new Error("a rehearsal ended without a preview");
  return preview;
}

/** Where a work is rehearsed: an open transaction, with the application's credential in it. */
interface Stage {
  service: Service;
  tx: Transaction;
  work: Work;
  caller: Credential;
  reader: Credential;
  most: number;
  changes: { id: string; made: boolean }[];
}

async function stageOf(real: Service, tx: Transaction, work: Work, { reader, most }: Shown): Promise<Stage> {
  await tx.allow(60_000);
  const caller = await issueCredential(tx, work);
  const changes: Stage["changes"] = [];
  const { address = "", requestId = "" } = real.origin ?? {};
  const service = {
    ...real,
    db: new RehearsalDatabase(real.db, tx),
    origin: { address, requestId, changes, refusesUnknown: true },
  };
  return { service, tx, work, caller, reader: reader ?? caller, most, changes };
}

/** Performs an operation on the stage. */
async function act<Input, Output>(
  { service, caller }: Stage,
  operation: MemberOperation<Input, Output>,
  input: unknown,
): Promise<Output> {
  const faults = operation.faults(input);
  if (faults.length > 0) throw malformed(faults);
  const db = service.db.behind(operationDoor(operation, caller));
  return await operation.run({ service, db, caller }, input as Input);
}

/** Performs the work; undefined if a job would do it, which a rehearsal does not start. */
async function rehearsed(stage: Stage): Promise<Preview | undefined> {
  const { work, changes } = stage;
  const approvable: Approvable = APPROVABLE[work.operation];
  const output = await act(stage, approvable.operation, work.input);
  if (isJob(output)) return undefined;
  const failures = approvable.failures?.(output) ?? [];
  const made = approvable.made?.(work.input) ?? [];
  const [change] = changes.filter((each) => each.made);
  if (change === undefined && made.length === 0) throw nothing(failures);
  const found = change === undefined ? { records: [], total: 0 } : await readRecords(stage, change.id);
  const records = [...found.records, ...made];
  return { total: found.total + made.length, records, complete: true, in_background: false, failures };
}

const isJob = (output: unknown): boolean =>
  typeof output === "object" &&
  output !== null &&
  ("job" in output || ("state" in output && output.state === "running"));

const nothing = ([first]: Preview["failures"]): Refusal =>
  first === undefined
    ? new Refusal(
        "conflict",
        "nothing_to_approve",
        "This would change nothing, so there is nothing to approve.",
      )
    : new Refusal("unprocessable", first.code, `${first.path}: ${first.message}`, { faults: [first] });

const isLargeBulk = ({ operation, input }: Work): boolean => {
  const { filter, expected_count: expected } = (input ?? {}) as Partial<Bulk>;
  return operation === "leads.bulk" && filter !== undefined && Number(expected) > MOST_AT_ONCE;
};

/** Changes a few of many leads, which a job would change. */
async function bulkSample(stage: Stage): Promise<Preview> {
  const input = stage.work.input as Bulk;
  const { matched, sample } = await act(stage, previewBulk, input);
  checkCount(matched, input);
  const outcome = input.op === "delete" ? "deleted" : "updated";
  const records = sample.map(({ id, name, email, changes }) => ({
    ...PLAIN_RECORD,
    ...{ kind: "lead", id, name: name ?? email, outcome },
    changes: changes.filter(({ field }) => field !== "deleted_at"),
  }));
  return { total: matched, records, complete: false, in_background: true, failures: [] };
}

/** Undoes the first of many records. */
async function undoSample(stage: Stage): Promise<Preview> {
  const { id } = stage.work.input as { id: string };
  const { counts, total: all, records, complete } = await act(stage, undoChange, { id, dry_run: true });
  const { kept: _, ...done } = counts;
  const total = complete ? Object.values(done).reduce((sum, count) => sum + count, 0) : all;
  const shown = records.slice(0, stage.most).map(({ put_back, kept, ...record }) => ({
    ...PLAIN_RECORD,
    ...record,
    changes: put_back.map((field) => ({ field })),
    kept: kept.map(({ field }) => field ?? "*"),
  }));
  return { total, records: shown, complete, in_background: true, failures: [] };
}
