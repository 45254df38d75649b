import type { ProjectDb, Transaction } from "../../../db/pool/database.ts";
import { changeBy } from "../../changes/change.ts";
import { displayNameSql } from "../../fields/lead-field.ts";
import type { LeadConditions } from "../../filter/sql/lead-conditions.ts";
import { memberOperation } from "../../operation/operation.ts";
import { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { againIfTaken } from "../identity/external-id.ts";
import { changeFound, lockFound, MOST_AT_ONCE, readByFilter, watchShared } from "./bulk-by-filter.ts";
import { BulkInput } from "./bulk-input.ts";

/** Performs the work in a transaction and rolls it back, so that a dry run reports exactly what the work does. */
export async function rehearse<T>(db: ProjectDb, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const outcome: T[] = [];
  const back = new Error("taken back");
  await db
    .transaction(async (tx) => {
      outcome.push(await work(tx));
      throw back;
    })
    .catch((error: unknown) => {
      if (error !== back) throw error;
    });
  const [said] = outcome;
  if (said === undefined) throw new Error("a rehearsal ended without an outcome");
  return said;
}

/** A lead of a bulk change, with the changes it would get. */
export interface PreviewedLead {
  id: string;
  name: string | null;
  email: string | null;
  changes: { field: string; from: unknown; to: unknown }[];
}

/** What a bulk change by filter would do. */
export interface BulkPreview {
  matched: number;
  /** Absent if more leads match than one transaction may change; then only the sample was changed. */
  updated?: number;
  unchanged?: number;
  failed?: number;
  sample: PreviewedLead[];
}

const SAMPLE = 5;

/** The dry run writes these columns too, but they are not part of the requested change. */
const OWN = new Set([
  ...["version", "updated_at", "last_activity_at", "search_text", "phone_e164", "last_tx", "display_name"],
]);

type Row = { id: string; lead: Record<string, unknown> };

/** Performs a bulk change by filter as a dry run and returns a sample of its changes. */
export const previewBulk = memberOperation({
  name: "leads.bulk.preview",
  needs: "leads:write",
  alsoNeeds: "leads:read",
  changes: false,
  input: BulkInput,
  async run(context, input): Promise<BulkPreview> {
    const { service, db, caller, waiting } = context;
    const change = changeBy(service, caller, "bulk");
    const read = await readByFilter(context, { ...input, dry_run: true });
    const work = async (tx: Transaction): Promise<BulkPreview> => {
      await tx.allow(60_000);
      const found = await lockFound(tx, read);
      const sample = found.slice(0, SAMPLE);
      const before = await rowsOf(tx, caller, sample);
      const all = found.length <= MOST_AT_ONCE;
      await watchShared(tx, context, read.gives, found);
      const done = await changeFound(tx, change, input, all ? found : sample, read.patch, waiting);
      const after = await rowsOf(tx, caller, sample);
      const told = all ? done : { matched: await countAll(tx, read) };
      return { ...told, sample: before.map((row, i) => previewed(row, after[i] ?? row)) };
    };
    return await againIfTaken(() => rehearse(db, work));
  },
});

async function rowsOf(tx: Transaction, caller: Credential, ids: readonly string[]): Promise<Row[]> {
  const parameters = new Parameters();
  const text = `SELECT id, to_jsonb(lead) || jsonb_build_object('display_name', ${displayNameSql()}) AS lead FROM lead WHERE project_id = ${parameters.text(caller.projectId)}
    AND id = ANY (${parameters.texts(ids)}) ORDER BY id`;
  return await tx.query<Row>(text, parameters.values);
}

async function countAll(tx: Transaction, { scope, where }: LeadConditions): Promise<number> {
  const text = `SELECT count(*) AS count FROM lead WHERE ${where}`;
  return (await tx.query<{ count: number }>(text, scope.parameters.values))[0]?.count ?? 0;
}

function previewed({ id, lead: old }: Row, { lead: fresh }: Row): PreviewedLead {
  const told = (lead: Row["lead"]) =>
    new Map([
      ...Object.entries(lead).filter(([field]) => field !== "custom" && !OWN.has(field)),
      ...Object.entries(lead.custom ?? {}).map(([key, value]): [string, unknown] => [`custom.${key}`, value]),
    ]);
  const [before, after] = [told(old), told(fresh)];
  const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [from = null, to = null] = [before.get(field), after.get(field)];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }];
  });
  return { id, name: textOf(old.display_name), email: textOf(old.email), changes };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
