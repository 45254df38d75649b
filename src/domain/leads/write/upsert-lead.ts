import { Type } from "typebox";
import { MatchOn } from "../../../contract/leads/lead-input.ts";
import type { IdentityName } from "../../../contract/lists/identities.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../../db/pool/database.ts";
import type { Row, Statement } from "../../../db/wire/statement-batch.ts";
import { type Change, fieldsOf, newChange } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { may } from "../../operation/may-sql.ts";
import { checked, type MemberContext, memberOperation, requiring } from "../../operation/operation.ts";
import { bad } from "../../values/bad-input.ts";
import { Version } from "../../values/version.ts";
import { againIfTaken } from "../identity/external-id.ts";
import { candidates, type Expected, matchesOf, type Upsert } from "../identity/find-candidates.ts";
import { identitiesOf, identityKeys, matchOrder } from "../identity/identity.ts";
import { identitiesLock, inTurn } from "../identity/identity-locks.ts";
import { changeLeads } from "./change-leads.ts";
import { insertLeads } from "./insert-leads.ts";
import { readNew, unprocessable, writeWith } from "./read-lead.ts";
import { type Unwritten, upsertLeads } from "./upsert-leads.ts";
import { type Written, type WrittenLead, writtenLead } from "./write-outcome.ts";

/**
 * Updates the lead with this identity, or creates it; refuses (409) if several leads have it. Concurrent calls
 * create one lead. A caller that may only create is refused nothing for what is stored.
 */
export const upsertLead = memberOperation({
  name: "leads.upsert",
  needs: "leads:write",
  orNeeds: "leads:create",
  input: Type.Object(
    {
      match_on: Type.Optional(MatchOn),
      lead: Type.Unknown({ description: "The fields of the lead, a NewLead." }),
      if_version: Type.Optional(Type.Union([Version, Type.Literal("*")])),
      if_absent: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  async run(asked, { match_on: given, lead, ...expected }): Promise<WrittenLead> {
    const context = isConditional(expected)
      ? requiring(asked, { any: ["leads:write"], all: ["leads:read"] })
      : asked;
    const matchOn = matchOrder(given);
    await checked(context, () => checkExpected(expected, "$"));
    const read = (schema: WritingSchema) => identified(readNew(lead, schema, "$.lead"), matchOn, "$.lead");
    return await writeWith(context, [lead], read, (patch, check) =>
      write(context, { place: 0, patch, matchOn, expected }, check),
    );
  },
});

async function write(
  context: MemberContext,
  upsert: Upsert,
  check: readonly Statement[],
): Promise<WrittenLead> {
  const { db, caller } = context;
  const { patch } = upsert;
  const identities = identityKeys(patch);
  const change = newChange(context, "lead.upsert", { about: { fields: fieldsOf([patch]) } });
  const lock = identitiesLock(caller.projectId, identities);
  const look = candidates(caller.projectId, [upsert]);
  const ahead = [lock, look, ...check];
  const work = async (tx: Transaction, [, found = []]: Row[][]) => {
    const [done] = await upsertLeads(tx, change, [upsert], matchesOf([upsert], found));
    if (done === undefined || isWritten(done) || (await may(tx, caller, "leads:write"))) return done;
    return await writtenAnyway(tx, change, upsert, done);
  };
  const written = await inTurn(caller.projectId, identities, () =>
    againIfTaken(
      async () =>
        (await writtenAtOnce(db, change, upsert, { check, lock, look })) ??
        (await db.transaction(work, undefined, ahead)),
    ),
  ).catch(async (error: unknown) => {
    if (!isConflict(error) || (await may(db, caller, "leads:write"))) throw error;
    const { external_id: _, ...rest } = patch;
    return (await insertLeads(db, change, [{ place: 0, patch: rest }]))[0];
  });
  if (written !== undefined && "by" in written) throw unwritten(written, await may(db, caller, "leads:read"));
  const shown = writtenLead(written === undefined ? [] : [written]);
  // A caller that may only create gets one answer: whether there is a change would tell what was stored.
  if (shown.json === "") change.made = false;
  return shown;
}

/**
 * Looks for the lead without any lock, and writes in one more message: changes the only lead that was found, if it still has
 * the same version, or creates one, unless one came in the meantime. Returns undefined if nothing was written, so that
 * it has to be done step by step.
 */
async function writtenAtOnce(
  db: ProjectDb,
  change: Change,
  upsert: Upsert,
  { check, lock, look }: { check: readonly Statement[]; lock: Statement; look: Statement },
): Promise<Written | undefined> {
  if (isConditional(upsert.expected ?? {})) return undefined;
  const rows = await db.query<Row>(look.text, look.values, { prepare: true, grouped: "read" });
  const match = matchesOf([upsert], rows).get(upsert.place);
  const [id] = match?.ids ?? [];
  const { created_at: _, ...patch } = upsert.patch;
  let written: Written[] = [];
  if (id === undefined) {
    const own = Object.entries(identitiesOf(patch));
    const unless = Object.fromEntries(own.filter(([name]) => upsert.matchOn.some((each) => each === name)));
    written = await insertLeads(db, change, [upsert], { ahead: [...check, lock], unless });
  } else if (match?.version !== undefined) {
    change.leadId = id;
    written = await changeLeads(db, change, "set", [{ place: 0, id, version: match.version, patch }], check);
  }
  const [done] = written;
  if (done !== undefined && isWritten(done)) return done;
  change.leadId = null;
  return undefined;
}

type Done = Awaited<ReturnType<typeof upsertLeads>>[number];

const isWritten = (done: Done): done is Written =>
  done.outcome === "created" || done.outcome === "updated" || done.outcome === "unchanged";

const isConflict = (error: unknown): boolean => error instanceof Refusal && error.kind === "conflict";

/**
 * Changes the oldest of several leads with the identity, or leaves out an external id that another lead has: a form's
 * visitor is never turned away.
 */
async function writtenAnyway(
  tx: Transaction,
  change: Change,
  upsert: Upsert,
  done: Done,
): Promise<Written | undefined> {
  const { external_id: _, ...patch } = upsert.patch;
  const [oldest] = done.outcome === "ambiguous" ? [...done.ids].sort() : [];
  if (oldest !== undefined) {
    const { created_at: __, ...changes } = patch;
    const [changed] = await changeLeads(tx, change, "set", [{ place: 0, id: oldest, patch: changes }]);
    if (changed !== undefined && isWritten(changed)) return changed;
  }
  const [again] = await upsertLeads(tx, change, [{ ...upsert, patch }]);
  if (again !== undefined && isWritten(again)) return again;
  return (await insertLeads(tx, change, [{ place: 0, patch }]))[0];
}

/** Refuses a lead without an identity to find it by. */
export function identified(patch: LeadPatch, matchOn: readonly IdentityName[], path: string): LeadPatch {
  const own = identitiesOf(patch);
  if (matchOn.some((name) => own[name] !== undefined)) return patch;
  if (matchOn.includes("phone") && typeof patch.phone === "string") {
    const message = "is not a phone number; write it with its country code, such as +55 11 91234-5678";
    throw unprocessable([{ path: `${path}.phone`, code: "not_a_phone", message }]);
  }
  const message = `needs ${matchOn.join(" or ")} to find the lead by`;
  throw unprocessable([{ path, code: "no_identity", message }]);
}

/** Whether it depends on what is stored, which a refusal would tell without a trace. */
export const isConditional = ({ if_version: version, if_absent: absent }: Expected): boolean =>
  version !== undefined || absent === true;

/** Refuses conditions that exclude each other. */
export function checkExpected({ if_version: version, if_absent: absent }: Expected, path: string): void {
  if (version !== undefined && absent === true)
    bad(`${path}.if_absent`, "condition_twice", "must not be given together with if_version");
}

/** Returns the refusal of an upsert that wrote nothing because of the leads that it found. */
export function unwritten({ outcome, by, ids }: Unwritten, mayRead: boolean): Refusal {
  if (outcome === "ambiguous") return ambiguous({ by, ids }, mayRead);
  if (outcome === "not_found") {
    const message = "No lead was found, so none has the expected version. Nothing was created.";
    return new Refusal("stale", "nothing_found", message);
  }
  if (!mayRead)
    return new Refusal("stale", "lead_exists", `A lead with this ${by} already exists. Nothing was changed.`);
  const message = `A lead with this ${by} already exists: ${ids.join(", ")}. Nothing was changed.`;
  const faults = ids.map((id) => ({ path: `$.lead.${by}`, code: "candidate", message: id }));
  return new Refusal("stale", "lead_exists", message, { faults });
}

/**
 * Returns the refusal if several leads have the identity. It names them to callers who may read leads, so that they
 * can merge them or use an id.
 */
export function ambiguous(
  { by, ids }: { by: IdentityName; ids: readonly string[] },
  mayRead: boolean,
): Refusal {
  if (!mayRead)
    return new Refusal("conflict", "ambiguous", `Several leads have this ${by}. Use the id of one of them.`);
  const message = `${ids.length} leads have this ${by}: ${ids.join(", ")}. Merge them, or change one of them by its id.`;
  const faults = ids.map((id) => ({ path: `$.lead.${by}`, code: "candidate", message: id }));
  return new Refusal("conflict", "ambiguous", message, { faults });
}
