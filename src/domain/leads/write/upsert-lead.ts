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
import { warn } from "../../operation/service/warn.ts";
import { bad } from "../../values/bad-input.ts";
import { Version } from "../../values/version.ts";
import { type Holders, MAIN } from "../identity/holders.ts";
import { type Identifier, identifiersOf, looksBy, matchOrder } from "../identity/identifiers.ts";
import { identitiesLock, underLocks } from "../identity/identity-locks.ts";
import { lookFor } from "../identity/look-for.ts";
import { resolve, resolveBy } from "../identity/resolve.ts";
import { changeLeads } from "./change-leads.ts";
import { doubtsTold } from "./doubts.ts";
import { insertLeads } from "./insert-leads.ts";
import { keepSubmission } from "./keep-submission.ts";
import { filledByForm, patchFor } from "./patch-for.ts";
import type { Expected, Unwritten, Upsert } from "./plan-upserts.ts";
import { readNew, unprocessable, writeWith } from "./read-lead.ts";
import type { WriteDb } from "./send-write.ts";
import { unwrittenRefusal } from "./unwritten.ts";
import { isUnwritten, upsertLeads } from "./upsert-leads.ts";
import { type Written, type WrittenLead, writtenLead } from "./write-outcome.ts";

/** A record to find or create a lead by, as it was read. */
export interface ReadUpsert {
  upsert: Upsert;
  country: string | null;
  fill: boolean;
  keepsOptOut: boolean;
}

/**
 * Updates the lead that the record is about, or creates it; refuses (409) if that may be several leads. Concurrent calls
 * create one lead. A caller that may only create is refused nothing for what is stored, and only fills the lead that is there.
 */
export const upsertLead = memberOperation({
  name: "leads.upsert",
  needs: "leads:write",
  orNeeds: "leads:create",
  input: Type.Object(
    {
      match_on: Type.Optional(MatchOn),
      fill: Type.Optional(Type.Boolean()),
      clear_opt_out: Type.Optional(Type.Boolean()),
      lead: Type.Unknown({ description: "The fields of the lead, a NewLead." }),
      if_version: Type.Optional(Type.Union([Version, Type.Literal("*")])),
      if_absent: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  async run(
    asked,
    { match_on: given, lead, fill = false, clear_opt_out: clears = false, ...expected },
  ): Promise<WrittenLead> {
    const context = isConditional(expected)
      ? requiring(asked, { any: ["leads:write"], all: ["leads:read"] })
      : clears
        ? requiring(asked, { any: ["leads:write"], all: [] })
        : asked;
    const matchOn = matchOrder(given);
    await checked(context, () => checkExpected(expected, "$"));
    const read = (schema: WritingSchema): ReadUpsert => {
      const patch = identified(readNew(lead, schema, "$.lead"), schema, matchOn, "$.lead");
      const identifiers = identifiersOf(patch, schema.country);
      const upsert = { place: 0, patch, identifiers, matchOn, expected };
      return { upsert, country: schema.country, fill, keepsOptOut: !clears };
    };
    return await writeWith(context, [lead], read, (given, check) => write(context, given, check));
  },
});

async function write(
  context: MemberContext,
  read: ReadUpsert,
  check: readonly Statement[],
): Promise<WrittenLead> {
  const { service, db, caller } = context;
  const { upsert, country, fill, keepsOptOut } = read;
  const key = caller.kind === "key" ? caller.id : undefined;
  const { patch, identifiers } = upsert;
  const change = newChange(context, "lead.upsert", { about: { fields: fieldsOf([patch]) } });
  const work = async (tx: Transaction, known: Holders) => {
    const [done] = await upsertLeads(tx, change, [upsert], { fill, keepsOptOut, country, known, key });
    if (done === undefined || isWritten(done) || (await may(tx, caller, "leads:write"))) return done;
    if (isUnwritten(done)) return void (await keepSubmission(tx, change, patch, done));
    return await withoutExternal(tx, change, patch);
  };
  const first = () => writtenAtOnce(db, change, read, check, key);
  const written = await underLocks(db, caller.projectId, { identifiers, country, key }, work, {
    ...{ ahead: check, first },
  }).catch(async (error: unknown) => {
    // Others took its external id each time; a form's visitor is never turned away.
    const isConflict = error instanceof Refusal && error.kind === "conflict";
    if (!isConflict || (await may(db, caller, "leads:write"))) throw error;
    return await withoutExternal(db, change, patch);
  });
  if (written === undefined) {
    change.made = false;
    return { id: "", outcome: "unchanged", json: "" };
  }
  if ("among" in written) throw unwrittenRefusal(written, await may(db, caller, "leads:read"));
  const shown = writtenLead([written]);
  // A caller that may only create gets one answer: whether there is a change would tell what was stored.
  if (shown.json === "") change.made = false;
  else warn(service, await doubtsTold(db, caller, written, "$.lead"));
  return shown;
}

async function withoutExternal(
  db: WriteDb,
  change: Change,
  { external_id: _, ...patch }: LeadPatch,
): Promise<Written | undefined> {
  return (await insertLeads(db, change, [{ place: 0, patch }]))[0];
}

/**
 * Looks for the lead without any lock, and writes in one more message: changes the lead that was found, if it still has the same
 * version and all the identifiers that are given, or creates one, unless one came in the meantime. Returns undefined if nothing
 * was written, so that it has to be done step by step.
 */
async function writtenAtOnce(
  db: ProjectDb,
  change: Change,
  { upsert, country, fill, keepsOptOut }: ReadUpsert,
  check: readonly Statement[],
  key: string | undefined,
): Promise<Written | undefined> {
  const { identifiers, matchOn, patch } = upsert;
  if (isConditional(upsert.expected ?? {}) || identifiers.some(isFurther)) return undefined;
  if (!keepsOptOut && patch.do_not_contact === false) return undefined;
  const { projectId } = change.by;
  const { statement, read } = lookFor(projectId, identifiers, country, { key });
  const { text, values } = statement;
  const holders = await read(db, await db.query<Row>(text, values, { prepare: true, grouped: "read" }));
  const found =
    matchOn === undefined ? resolve(identifiers, holders) : resolveBy(matchOn, identifiers, holders);
  // By the rule, a holder of an address decides whom the record is about; with match_on, it is only told.
  if ("conflict" in found || (found.held.length > 0 && matchOn === undefined)) return undefined;
  const { lead, held } = found;
  if (lead === undefined) {
    const { created_at: _, ...rest } = patch;
    const unless = identifiers.filter(({ kind }) => looksBy(matchOn).some((each) => each === kind));
    const own = { place: 0, patch: patch.created_at === undefined ? rest : patch };
    const [made] = await insertLeads(db, change, [own], {
      ahead: [...check, identitiesLock(projectId, identifiers)],
      unless,
    });
    if (made !== undefined && isWritten(made)) return { ...made, held };
  } else if (
    found.way === MAIN &&
    lead.version !== undefined &&
    identifiers.every((each) => holders.has(lead.id, each))
  ) {
    change.leadId = lead.id;
    const fills = fill || holders.onlyFills;
    const given = holders.onlyFills ? filledByForm(patch) : patch;
    const { patch: own } = patchFor(given, identifiers, found, holders, fills);
    const one = { place: 0, id: lead.id, version: lead.version, patch: own, record: patch };
    const [done] = await changeLeads(db, change, fills ? "fill" : "set", [one], {
      ...{ ahead: check, keepsOptOut: keepsOptOut || holders.onlyFills },
    });
    if (done !== undefined && isWritten(done)) return done;
  }
  change.leadId = null;
  return undefined;
}

const isFurther = ({ field }: Identifier): boolean => field === "emails" || field === "phones";

const isWritten = (done: { outcome: Written["outcome"] | Unwritten["outcome"] }): done is Written =>
  done.outcome === "created" || done.outcome === "updated" || done.outcome === "unchanged";

/** Refuses a lead without an identifier to find it by. */
export function identified(
  patch: LeadPatch,
  { country }: Pick<WritingSchema, "country">,
  matchOn: readonly IdentityName[] | undefined,
  path: string,
): LeadPatch {
  const looked = looksBy(matchOn);
  const isLooked = ({ kind, field }: Identifier) =>
    looked.some((name) => name === (matchOn === undefined ? kind : field));
  if (identifiersOf(patch, country).some(isLooked)) return patch;
  if (looked.includes("phone") && typeof patch.phone === "string") {
    const message = "is not a phone number; write it with its country code, such as +55 11 91234-5678";
    throw unprocessable([{ path: `${path}.phone`, code: "not_a_phone", message }]);
  }
  const message = `needs ${looked.join(" or ")} to find the lead by`;
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
