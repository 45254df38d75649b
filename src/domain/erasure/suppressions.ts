import { Type } from "typebox";
import {
  type AddedSuppressions,
  type RemovedSuppression,
  SuppressionList,
  SuppressionRemoval,
  type Suppressions,
} from "../../contract/suppressions.ts";
import { type Fault, notFound } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { newChange } from "../changes/change.ts";
import type { LeadPatch } from "../fields/lead-input.ts";
import { type Identifier, identifiersOf } from "../leads/identity/identifiers.ts";
import { lockAllIdentities } from "../leads/identity/identity-locks.ts";
import { readHolders } from "../leads/identity/look-for.ts";
import { changeLeads } from "../leads/write/change-leads.ts";
import { unprocessable } from "../leads/write/read-lead.ts";
import { actorOf } from "../operation/actor.ts";
import { record } from "../operation/audit/record.ts";
import { checked, type MemberContext, memberOperation, refuse } from "../operation/operation.ts";
import { suppress } from "../suppression/hashes.ts";
import { cellReader } from "../values/cell-readers.ts";
import { e164Of } from "../values/read-phone.ts";
import { countryOf } from "./find-subject.ts";

const COUNT = `SELECT (SELECT count(*)::integer FROM suppression WHERE project_id = $1) AS count, suppressions_complete AS complete
  FROM project WHERE project_id = $1`;

/** Counts the addresses that a project must not contact. */
export const countSuppressions = memberOperation({
  name: "suppressions.count",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<Suppressions> {
    const [row] = await db.query<Suppressions>(COUNT, [caller.projectId]);
    return row ?? { count: 0, complete: true };
  },
});

/** How many leads of one address are found. */
const MOST_LEADS = 10_000;

/** Suppresses addresses; leads that have them opt out. */
export const addSuppressions = memberOperation({
  name: "suppressions.add",
  needs: "leads:write",
  input: SuppressionList,
  async run(context, { addresses }): Promise<AddedSuppressions> {
    const { service, db, caller } = context;
    const { projectId } = caller;
    const country = await countryOf(db, projectId);
    const records = await checked(context, () => readAddresses(addresses, "$.addresses", country));
    const identifiers = records.flatMap((each) => identifiersOf(each, country));
    const change = newChange(context, "bulk", { about: { op: "set", fields: ["do_not_contact"] } });
    const opening = { projectId, secretKeys: service.config.secretKeys };
    return await db.transaction(async (tx) => {
      await lockAllIdentities(tx, projectId);
      const before = await countOf(tx, projectId);
      await suppress(tx, opening, records);
      const leads = await leadsWith(tx, projectId, identifiers, country);
      const changes = leads.map((id, place) => ({ place, id, patch: { do_not_contact: true } }));
      const written = await changeLeads(tx, change, "set", changes);
      const added = (await countOf(tx, projectId)) - before;
      await note(context, tx, "suppressions.added", { addresses: added });
      return { added, leads: written.filter(({ outcome }) => outcome === "updated").length };
    });
  },
});

/** Ends the suppression of one address; refuses (404) if it is not suppressed. */
export const removeSuppression = memberOperation({
  name: "suppressions.remove",
  needs: "leads:write",
  input: SuppressionRemoval,
  async run(context, { address, reason }): Promise<RemovedSuppression> {
    const { service, db, caller } = context;
    const { projectId } = caller;
    const country = await countryOf(db, projectId);
    const records = await checked(context, () => readAddresses([address], "$.address", country));
    const opening = { projectId, secretKeys: service.config.secretKeys };
    const left = await db.transaction(async (tx) => {
      if ((await suppress(tx, opening, records, { lift: true })) === 0) return undefined;
      await note(context, tx, "suppressions.removed", { reason });
      const identifiers = records.flatMap((each) => identifiersOf(each, country));
      const ids = await leadsWith(tx, projectId, identifiers, country);
      const [row] = await tx.query<{ count: number }>(OPTED_OUT, [projectId, ids]);
      return row?.count ?? 0;
    });
    if (left === undefined) return await refuse(db, notFound("suppressed address"));
    return { leads: left };
  },
});

const OPTED_OUT =
  "SELECT count(*)::integer AS count FROM lead WHERE project_id = $1 AND id = ANY ($2::text[]) AND do_not_contact";

const countOf = async (tx: Transaction, projectId: string): Promise<number> =>
  (await tx.query<Suppressions>(COUNT, [projectId]))[0]?.count ?? 0;

const leadsWith = async (
  tx: Transaction,
  projectId: string,
  identifiers: readonly Identifier[],
  country: string | null,
): Promise<string[]> => [
  ...(await readHolders(tx, projectId, identifiers, country, { most: MOST_LEADS })).leads.keys(),
];

async function note(
  { service, caller }: MemberContext,
  tx: Transaction,
  action: string,
  data: Record<string, unknown>,
): Promise<void> {
  const actor = (await actorOf(tx, caller)).id;
  const { projectId } = caller;
  await record(service, tx, { action, projectId, ...(actor === null ? {} : { actor }), data });
}

/** Reads addresses as those of leads are read; refuses (422) with all that are none. */
function readAddresses(addresses: readonly string[], path: string, country: string | null): LeadPatch[] {
  const readEmail = cellReader("email");
  const faults: Fault[] = [];
  const read = addresses.map((address, i): LeadPatch => {
    const text = address.trim();
    const at = path === "$.address" ? path : `${path}[${i}]`;
    if (!text.includes("@")) {
      const phone = e164Of(text, country);
      if (phone === null) faults.push({ path: at, code: "not_an_address", message: NEITHER });
      return { phone_e164: phone };
    }
    const reading = readEmail(text);
    if ("code" in reading) faults.push({ path: at, code: reading.code, message: reading.message });
    return { email: "code" in reading ? null : String(reading.value) };
  });
  if (faults.length > 0) throw unprocessable(faults.slice(0, 20));
  return read;
}

const NEITHER =
  "is neither an e-mail address nor a phone number; write a number with its country code, such as +55 11 91234-5678";
