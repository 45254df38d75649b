import type { ErasedPerson } from "../../contract/people.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Queryable, Transaction } from "../../db/pool/database.ts";
import type { Change } from "../changes/change.ts";
import { recordChange } from "../changes/record-change.ts";
import { keepExportsWaiting } from "../exports/erasing-lock.ts";
import type { LeadPatch } from "../fields/lead-input.ts";
import { endDeadUploads } from "../imports/file/upload-life.ts";
import { lockAllIdentities } from "../leads/identity/identity-locks.ts";
import { actorOf, sourceOf } from "../operation/actor.ts";
import type { MemberContext } from "../operation/operation.ts";
import { suppress } from "../suppression/hashes.ts";
import { lockViews } from "../views/view.ts";
import { type FoundSubject, withoutShared } from "./find-subject.ts";
import { forgetExports } from "./forget-exports.ts";
import { forgetImports } from "./forget-imports.ts";
import { forgetLeads } from "./forget-leads.ts";
import { forgetHistory, forgetMentions } from "./forget-mentions.ts";
import { forgetRows, linksOf, personalDatasets } from "./forget-rows.ts";
import { type SearchedRows, searchChanges } from "./rows-in-changes.ts";
import { importRunning, isBusy, keptImports, scanImports } from "./scan-imports.ts";

/** How much of each kind was erased. */
type ErasedCounts = ErasedPerson["erased"];

/** What is erased, and what must hold for it. */
export interface Erasure {
  change: Change;
  /** Finds the leads and the identities; with `lock`, leads stay locked until the commit. Throws what forbids it. */
  find(db: Pick<Queryable, "query">, lock: "lock" | "read"): Promise<FoundSubject>;
  /** The addresses and numbers to remove from the history of other leads, too. */
  history: { emails: string[]; phones: string[] };
  /** Whether the person must not be contacted again. */
  suppress: boolean;
  /** Records the erasure, in its transaction. */
  finish(tx: Transaction, counts: ErasedCounts): Promise<void>;
}

/** The searches are repeated if imports, datasets or identities changed meanwhile, but not for ever. */
const TRIES = 5;

/** Something changed between the searches and the locks. */
class Changed extends Error {}

/** What was found before the locks. */
interface Searched {
  /** The identities and the datasets that it holds for, as JSON. */
  expected: string;
  /** Whether each import holds something of the person. */
  imports: ReadonlyMap<string, boolean>;
  rows: SearchedRows;
}

/**
 * Erases leads and everything that the service holds of their person, in one transaction. Files and changes are searched
 * before it, so that writers of the project wait only for the deletion. Refuses (409) while an import that may contain the
 * person is at work. `run` runs the transaction, or rolls it back for a dry run.
 */
export async function erase(
  context: MemberContext,
  erasure: Erasure,
  run: (work: (tx: Transaction) => Promise<ErasedCounts>) => Promise<ErasedCounts>,
): Promise<ErasedCounts> {
  const { service, db, caller } = context;
  const { projectId } = caller;
  const imports = new Map<string, boolean>();
  let searched: Searched | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { subject } = await erasure.find(db, "read");
    const expected = JSON.stringify([subject, await personalDatasets(db, projectId, "read")]);
    if (searched?.expected !== expected) imports.clear();
    await scanImports(db, projectId, subject, imports);
    const sought = { links: linksOf(subject), named: subject };
    const rows =
      searched?.expected === expected
        ? searched.rows
        : await db.transaction((tx) => searchChanges(tx, projectId, sought));
    const found = { expected, imports, rows };
    searched = found;
    try {
      const counts = await run((tx) => eraseAll(tx, context, erasure.change, erasure, found));
      service.pages.clear();
      return counts;
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
    }
  }
  const message =
    "Files are being imported all the time, or this person or datasets are being changed. Nothing was erased; try again.";
  throw new Refusal("conflict", "import_running", message);
}

const OPTED_OUT =
  "SELECT count(*)::integer AS count FROM lead WHERE project_id = $1 AND id = ANY ($2::text[]) AND do_not_contact";

async function eraseAll(
  tx: Transaction,
  { service, caller }: MemberContext,
  change: Change,
  { find, history, suppress: suppresses, finish }: Erasure,
  { expected, imports: known, rows: searched }: Searched,
): Promise<ErasedCounts> {
  const { projectId } = caller;
  await tx.allow(600_000);
  await lockAllIdentities(tx, projectId);
  const { subject } = await find(tx, "lock");
  const datasets = await personalDatasets(tx, projectId, "lock");
  if (JSON.stringify([subject, datasets]) !== expected) throw new Changed();
  await endDeadUploads(tx, projectId);
  const kept = await keptImports(tx, projectId, subject, "lock");
  const busy = kept.find((each) => isBusy(each, known));
  if (busy !== undefined) throw importRunning(busy);
  if (kept.some(({ id }) => !known.has(id))) throw new Changed();
  const held = kept.filter(({ id, touched }) => touched || known.get(id)).map(({ id }) => id);
  const by = { source: sourceOf(caller), actor: await actorOf(tx, caller) };
  const [optedOut] = await tx.query<{ count: number }>(OPTED_OUT, [projectId, subject.leads]);
  if (suppresses || (optedOut?.count ?? 0) > 0) {
    const addresses = subject.phones.map((phone): LeadPatch => ({ phone_e164: phone }));
    const opening = { projectId, secretKeys: service.config.secretKeys };
    await suppress(tx, opening, [{ emails: subject.emails }, ...addresses]);
  }
  const leads = await forgetLeads(tx, projectId, subject.leads, change, by);
  const own = await withoutShared(tx, projectId, subject);
  const rows = await forgetRows(tx, projectId, datasets, { subject, named: own, searched });
  await forgetImports(tx, projectId, subject, held);
  await lockViews(tx, projectId);
  const given = { ...subject, ...history, leads: [] };
  const isGiven = history.emails.length + history.phones.length > 0;
  // As late as possible, but before any row of an export is locked: an export that ends takes its locks in this order.
  await keepExportsWaiting(tx, projectId);
  const counts: ErasedCounts = {
    ...{ leads: subject.leads.length, ...leads, dataset_rows: rows, imports: held.length },
    queries: await forgetMentions(tx, projectId, own),
    history: isGiven ? await forgetHistory(tx, projectId, given) : 0,
    exports: await forgetExports(tx, projectId),
  };
  if (counts.leads > 0) await recordChange(tx, change, { leads_erased: counts.leads });
  await finish(tx, counts);
  return counts;
}
