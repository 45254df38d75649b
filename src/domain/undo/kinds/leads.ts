import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { holdersOf, Raced } from "../../leads/identity/external-id.ts";
import { changeLeads } from "../../leads/write/change-leads.ts";
import type { LeadOp } from "../../leads/write/lead-effects.ts";
import { type Claim, type Decision, metClaims, type UndoRecord } from "../rule/decide.ts";
import { type Fitting, readFitting } from "./fitting.ts";
import { type Batch, type Kind, LEAD_RULES, type Refused, STEP, type Undone, type Written } from "./kind.ts";
import { type LeadNow, lockLeads, nextLeads, readField, readLeads } from "./lead-steps.ts";
import { bringBackEvents, withdrawEvents } from "./timeline-parts.ts";

/** Leads, their fields and the events that were recorded on their timelines. */
export const leads: Kind = {
  keptAs: ["lead"],
  async next(tx, undo, of, after) {
    const ids = await nextLeads(tx, undo.by.projectId, of, after);
    return { ids, next: ids.length < STEP ? null : (ids.at(-1) ?? null) };
  },
  async load(tx, undo, of, ids, again) {
    const { projectId } = undo.by;
    const fitting = await readFitting(tx, projectId);
    const now = await lockLeads(tx, projectId, ids);
    const records = await readLeads(tx, projectId, of, now, ids, again);
    const work: Work = { tx, undo, of, fitting, now, records };
    const batch: Batch = {
      records,
      rules: LEAD_RULES,
      fits: fitting.fits,
      shown: (id) => ({ kind: "lead", id }),
      write: (decisions, whole) => write(work, decisions, whole),
    };
    return [batch];
  },
};

interface Work {
  tx: Transaction;
  undo: Change;
  of: Undone;
  fitting: Fitting;
  now: ReadonlyMap<string, LeadNow>;
  records: readonly UndoRecord[];
}

async function write(
  { tx, undo, of, fitting, now, records }: Work,
  decisions: readonly Decision[],
  whole: ReadonlySet<string>,
): Promise<Written> {
  const refused = new Map<string, readonly Refused[]>();
  const perform = async (op: LeadOp, chosen: readonly Decision[]): Promise<void> => {
    const given = chosen.map(({ id, back }, place) => ({ place, id, patch: fitting.patchOf(back) }));
    for (const { id, outcome } of await changeLeads(tx, undo, op, given))
      if (outcome === "taken") throw new Raced(`the external id of ${id} was free a moment ago`);
  };
  const wanting = (op: Decision["op"]) => decisions.filter((each) => each.op === op);
  await perform("delete", wanting("delete"));
  const claims = decisions.flatMap((decision) => claimOf(decision, now));
  const met = await metIn(tx, undo, claims);
  for (const { id } of claims)
    if (!met.ids.has(id)) {
      const isRestore = decisions.some((each) => each.id === id && each.op === "restore");
      refused.set(id, [{ field: isRestore ? null : "external_id", reason: "taken" }]);
    }
  const released = [...met.released].map((id) => ({ id, back: new Map([["external_id", null]]) }));
  await perform(
    "set",
    released.map((each) => ({ ...each, op: "set", kept: [] })),
  );
  await perform(
    "restore",
    wanting("restore").filter(({ id }) => !refused.has(id)),
  );
  const sets = wanting("set").flatMap((decision) => {
    if (!refused.has(decision.id)) return [decision];
    const back = new Map([...decision.back].filter(([field]) => field !== "external_id"));
    return back.size === 0 ? [] : [{ ...decision, back }];
  });
  await perform("set", sets);
  // A lead that is deleted keeps its events: they come back with it.
  const gone = new Set(wanting("delete").map(({ id }) => id));
  const timelines = records.filter(({ id, timeline }) => timeline === true && whole.has(id) && !gone.has(id));
  const ids = timelines.map(({ id }) => id);
  const withdrawn = await withdrawEvents(tx, undo, of.id, ids);
  const back = await bringBackEvents(tx, undo, of.id, ids);
  return { refused, events: new Set([...withdrawn.keys(), ...back.keys()]) };
}

/** The external id that a lead gets back, or has again once it is restored. */
function claimOf({ id, op, back }: Decision, now: ReadonlyMap<string, LeadNow>): Claim[] {
  const lead = now.get(id);
  const value =
    op === "set"
      ? back.get("external_id")
      : op === "restore" && lead !== undefined
        ? readField(lead, "external_id")
        : null;
  return typeof value === "string" ? [{ id, value }] : [];
}

async function metIn(tx: Transaction, undo: Change, claims: readonly Claim[]) {
  const holders = await holdersOf(
    tx,
    undo.by.projectId,
    claims.map(({ value }) => value),
  );
  return metClaims(claims, (value) => holders.get(value));
}
