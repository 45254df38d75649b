import { type Fault, Refusal } from "../../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../../db/pool/database.ts";
import type { Row, Statement } from "../../../db/wire/statement-batch.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { may } from "../../operation/may-sql.ts";
import type { MemberContext } from "../../operation/operation.ts";
import { warn } from "../../operation/service/warn.ts";
import type { Credential } from "../../tenancy/credential.ts";
import type { Holders } from "../identity/holders.ts";
import { type Identifier, identifiersOf } from "../identity/identifiers.ts";
import { identitiesLock, underLocks } from "../identity/identity-locks.ts";
import { lookFor, readHolders } from "../identity/look-for.ts";
import { type Held, heldBeside, heldByOthers } from "../identity/resolve.ts";
import { doubtsTold, heldFaults } from "./doubts.ts";
import type { Behind } from "./send-write.ts";
import type { Written } from "./write-outcome.ts";

/** The e-mails and phones that a write gives a lead, and whether the project refuses those that another lead has. */
export interface Addresses {
  identifiers: readonly Identifier[];
  country: string | null;
  refused: boolean;
}

export const NO_ADDRESSES: Addresses = { identifiers: [], country: null, refused: false };

export function addressesOf(patch: LeadPatch, { country, refusesShared }: WritingSchema): Addresses {
  const { external_id: _, ...rest } = patch;
  return { identifiers: identifiersOf(rest, country), country, refused: refusesShared };
}

/** What is sent in the transaction of a write, before it and behind it. */
interface Sent {
  ahead?: readonly Statement[] | undefined;
  behind?: Behind | undefined;
}

/** A lead that gets addresses; one that is created has no id yet. */
export interface Getting {
  place: number;
  id: string;
  gives: readonly Identifier[];
}

/**
 * Writes a lead and warns the caller if it gets an address that another one has; refuses (409) if the project does not want
 * that. `id` is the lead's, if it exists; `ahead` is sent before.
 */
export async function writeWatched(
  { service, db, caller }: MemberContext,
  { identifiers, country, refused }: Addresses,
  { id, ahead = [] }: { id?: string | undefined } & Pick<Sent, "ahead">,
  write: (db: ProjectDb | Transaction, sent: Sent) => Promise<Written[]>,
): Promise<Written[]> {
  const { projectId } = caller;
  const told = async (written: Written[]) => {
    warn(service, await doubtsTold(db, caller, written[0], "$"));
    return written;
  };
  // Nobody is warned of who else has an address by a creation, whose answer would take a seventh longer: an upsert looks for the lead.
  if (identifiers.length === 0 || (id === undefined && !refused))
    return await told(await write(db, { ahead }));
  if (refused) {
    const unshared = async (tx: Transaction, known: Holders) => {
      const held = heldByOthers(identifiers, known, id);
      // A refusal would tell somebody who may only create who is stored.
      if (held.length > 0 && (await may(tx, caller, "leads:write")))
        throw refusalOfShared(held, "$", await may(tx, caller, "leads:read"));
      return await write(tx, {});
    };
    return await told(await underLocks(db, projectId, { identifiers, country }, unshared, { ahead }));
  }
  const getting = [{ place: 0, id: id ?? "", gives: identifiers }];
  return await told(
    await writeTold(db, projectId, country, getting, (behind) => write(db, { ahead, behind })),
  );
}

/** Writes leads and returns with each which other leads have the addresses that it got, those of the same call too. */
export async function writeTold(
  db: Pick<ProjectDb, "query">,
  projectId: string,
  country: string | null,
  getting: readonly Getting[],
  write: (behind: Behind | undefined) => Promise<Written[]>,
): Promise<Written[]> {
  const gives = new Map(getting.map((each) => [each.place, each.gives]));
  const all = [...gives.values()].flat();
  if (all.length === 0) return await write(undefined);
  const { statement, read } = lookFor(projectId, all, country);
  const rows: Row[] = [];
  const written = await write({ statement, take: (found) => void rows.push(...found) });
  if (rows.length === 0) return written;
  const holders = await read(db, rows);
  return written.map((each) =>
    each.outcome === "updated" || each.outcome === "created"
      ? { ...each, held: heldBeside(gives.get(each.place) ?? [], holders, each.id) }
      : each,
  );
}

/** Which leads may not get their addresses, since others have them, or get them by an earlier one of the same call; by place. */
export async function heldAmong(
  tx: Transaction,
  { projectId }: Credential,
  country: string | null,
  getting: readonly Getting[],
): Promise<ReadonlyMap<number, readonly Held[]>> {
  const all = getting.flatMap(({ gives }) => gives);
  const holders = await readHolders(tx, projectId, all, country);
  const held = new Map<number, readonly Held[]>();
  for (const { place, id, gives } of getting) {
    const others = heldByOthers(gives, holders, id === "" ? undefined : id);
    // What is refused gives its lead nothing, and a lead that is to be created is known by its item.
    if (others.length > 0) held.set(place, others);
    else holders.create(id === "" ? `of $.items[${place}]` : id, gives);
  }
  return held;
}

/** Locks the addresses, if the project refuses those that another lead has, until the commit. Leads must be locked afterwards. */
export async function lockAddresses(
  tx: Transaction,
  { projectId }: Credential,
  { identifiers, refused }: Addresses,
): Promise<void> {
  if (!refused || identifiers.length === 0) return;
  const { text, values } = identitiesLock(projectId, identifiers);
  await tx.query(text, values);
}

/** The refusal (409) of a write that would give a lead an address which another has, where the project does not want that. */
export function refusalOfShared(held: readonly Held[], path: string, mayRead: boolean): Refusal {
  const faults: Fault[] = mayRead ? heldFaults(held, path) : [];
  const message = `Another lead has this address, and the project allows one lead for each. ${faults[0]?.message ?? ""}`;
  return new Refusal("conflict", "address_held", message.trim(), { faults });
}
