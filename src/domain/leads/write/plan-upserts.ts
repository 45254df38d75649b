import { isDeepStrictEqual } from "node:util";
import type { RowMode } from "../../../contract/lists/datasets.ts";
import type { IdentityName } from "../../../contract/lists/identities.ts";
import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { Version } from "../../values/version.ts";
import { type Holders, type KnownLead, MAIN, nearest } from "../identity/holders.ts";
import { type Identifier, keyOf } from "../identity/identifiers.ts";
import { type Held, type Resolution, resolve, resolveBy } from "../identity/resolve.ts";
import { changeLeads } from "./change-leads.ts";
import { optOutOf, withMain } from "./file-patch.ts";
import { insertLeads, type NewLead } from "./insert-leads.ts";
import type { Added, LeadChange } from "./lead-effects.ts";
import { filledByForm, patchFor } from "./patch-for.ts";
import type { Written } from "./write-outcome.ts";

/** What a caller expects: a lead with one of these versions, or with any (`*`), or no lead. */
export interface Expected {
  if_version?: Version | "*" | undefined;
  if_absent?: boolean | undefined;
}

/** A lead to find or create. */
export interface Upsert {
  place: number;
  patch: LeadPatch;
  identifiers: readonly Identifier[];
  /** The kinds of identifiers that a caller looks by, instead of the rule of `resolve`. */
  matchOn?: readonly IdentityName[] | undefined;
  expected?: Expected | undefined;
  added?: Added | undefined;
  from?: NewLead["from"];
}

/** A record that was not written, because of the leads that it may be about. */
export interface Unwritten {
  place: number;
  outcome: "ambiguous" | "identity_conflict" | "unexpected" | "not_found" | "unknown_id";
  among: readonly { identifier: Identifier; id: string }[];
}

/** Leads to create, or to change at once; a lead is changed by one record of a wave. */
interface Wave {
  fresh: (NewLead & More)[];
  changes: Map<string, LeadChange & More>;
}

interface More {
  held: readonly Held[];
  /** Whether the lead that has its external id by now may be its own. */
  byExternal: boolean;
  /** Whether the caller asked for the version. */
  isWanted?: boolean;
}

/** How records are written. */
interface Rules {
  fill: boolean;
  mode: RowMode;
  keepsOptOut: boolean;
  country: string | null;
}

/** What a batch of records does to leads, in waves: all records of one wave can be written by one statement. */
export class Plan {
  readonly #holders: Holders;
  readonly #fill: boolean;
  readonly #mode: RowMode;
  readonly #country: string | null;
  readonly #keepsOptOut: boolean;
  readonly #waves: Wave[] = [];
  /** The wave after which a lead is as the records so far leave it. */
  readonly #after = new Map<string, number>();
  /** What the records so far give a lead, and the place of the last of them. */
  readonly #given = new Map<string, { place: number; patches: LeadPatch[] }>();
  /** The wave after which an external id is free that a record of this batch takes off its lead. */
  readonly #freed = new Map<string, number>();
  /** Records that give what an earlier record of the batch gave. */
  readonly #repeated: { place: number; of: number; held: readonly Held[]; clears: boolean }[] = [];
  readonly #taken: Written[] = [];

  constructor(holders: Holders, { fill, mode, keepsOptOut, country }: Rules) {
    this.#holders = holders;
    this.#mode = mode;
    this.#country = country;
    this.#fill = fill || holders.onlyFills;
    this.#keepsOptOut = keepsOptOut || holders.onlyFills;
  }

  /** Decides about a record; returns why it is not written. */
  add(upsert: Upsert): Unwritten | undefined {
    const { place, identifiers, matchOn, expected: { if_version: wanted, if_absent: absent } = {} } = upsert;
    const found =
      matchOn === undefined
        ? resolve(identifiers, this.#holders)
        : resolveBy(matchOn, identifiers, this.#holders);
    if ("conflict" in found) return { place, outcome: found.conflict, among: found.among };
    const holder = this.#holderOf(upsert, found.lead);
    if (holder !== undefined) {
      const { id = "", version = 0 } = found.lead ?? {};
      const own = { id, version: id === "" ? null : version, json: null, held: found.held };
      this.#taken.push({ place, outcome: "taken", holder, ...own });
      return undefined;
    }
    if (found.lead === undefined) {
      if (identifiers.some(({ kind }) => kind === "id")) return { place, outcome: "unknown_id", among: [] };
      if (wanted !== undefined) return { place, outcome: "not_found", among: [] };
      if (this.#mode === "update") this.#leaveOut(place, "");
      else this.#create(upsert, found.held);
      return undefined;
    }
    if (absent === true)
      return { place, outcome: "unexpected", among: [{ identifier: found.by, id: found.lead.id }] };
    const said = this.#mode === "insert" ? optOutOf(upsert.patch) : upsert.patch;
    if (said === undefined) this.#leaveOut(place, found.lead.id);
    else if (said === upsert.patch) this.#change(upsert, found, wanted === "*" ? undefined : wanted);
    else this.#change({ ...upsert, patch: said, added: undefined }, found, undefined);
    return undefined;
  }

  #leaveOut(place: number, id: string): void {
    this.#taken.push({ place, id, outcome: "left_out", version: null, json: null });
  }

  /** The other lead that has the external id of a record, which was not found by it. */
  #holderOf({ matchOn, patch }: Upsert, lead: KnownLead | undefined): string | undefined {
    const { external_id: external } = patch;
    if (lead !== undefined && this.#holders.onlyFills) return undefined;
    if (matchOn === undefined || typeof external !== "string") return undefined;
    if (this.#fill && typeof lead?.external_id === "string") return undefined;
    const having = this.#holders.of({ key: keyOf("external_id", external) });
    if (having.some(({ id }) => id === lead?.id)) return undefined;
    return having.find((each) => nearest(each) === MAIN)?.id;
  }

  #create({ place, patch, identifiers, matchOn, added, from }: Upsert, held: readonly Held[]): void {
    const id = newId("lead");
    const { external_id: external } = patch;
    const all = added === undefined ? patch : { ...patch, ...united(patch, added) };
    const whole = from === undefined ? all : withMain(all, this.#country);
    this.#at(this.#wave(id, typeof external === "string" ? external : undefined)).fresh.push({
      ...{ place, id, from, patch: whole, held, byExternal: matchOn?.includes("external_id") ?? true },
    });
    this.#holders.create(id, identifiers);
    this.#note(id, place, whole);
  }

  #change(
    { place, patch: all, identifiers, matchOn, added: more }: Upsert,
    found: Extract<Resolution, { by: Identifier }>,
    version: Version | undefined,
  ): void {
    const { lead, held } = found;
    const { id } = lead;
    const given = this.#holders.onlyFills ? filledByForm(all) : all;
    const { patch, gives } = patchFor(given, identifiers, found, this.#holders, this.#fill);
    const added = this.#fill ? undefined : more;
    const whole = this.#fill && more !== undefined ? { ...patch, ...united(patch, more) } : patch;
    const before = this.#given.get(id);
    if (before !== undefined && version === undefined && addsNothing(whole, added, before.patches)) {
      this.#repeated.push({ place, of: before.place, held, clears: whole.do_not_contact === false });
      return;
    }
    const { external_id: external } = whole;
    const wave = this.#wave(id, typeof external === "string" ? external : undefined);
    const byExternal = matchOn === undefined;
    // What identifies a lead is decided by its version that was read: nobody else may have filled it since.
    const read = gives.length > 0 && before === undefined ? lead.version : undefined;
    this.#at(wave).changes.set(id, {
      ...{ place, id, version: version ?? read, isWanted: version !== undefined },
      ...{ patch: whole, added, record: all, held, byExternal },
    });
    if (external !== undefined && lead.external_id !== null && external !== lead.external_id)
      this.#freed.set(lead.external_id, wave);
    if (!this.#fill) this.#holders.take(id, whole);
    this.#holders.give(id, gives);
    this.#note(id, place, added === undefined ? whole : { ...whole, ...united(whole, added) });
  }

  /** The first wave in which a lead can be written that gets this external id. */
  #wave(id: string, external: string | undefined): number {
    const freed = external === undefined ? undefined : this.#freed.get(external);
    const wave = Math.max(this.#after.get(id) ?? 0, freed === undefined ? 0 : freed + 1);
    this.#after.set(id, wave + 1);
    return wave;
  }

  #at(wave: number): Wave {
    for (let n = this.#waves.length; n <= wave; n += 1) this.#waves.push({ fresh: [], changes: new Map() });
    return this.#waves[wave] as Wave;
  }

  #note(id: string, place: number, patch: LeadPatch): void {
    const before = this.#given.get(id)?.patches ?? [];
    this.#given.set(id, { place, patches: [...before, patch] });
  }

  /**
   * Writes everything. With `retry`, `again` are the places of records that lost a race, and of those about the same leads:
   * they have to be decided again.
   */
  async write(
    tx: Transaction,
    change: Change,
    retry: boolean,
  ): Promise<{ written: Written[]; again: ReadonlySet<number> }> {
    const written = new Map(this.#taken.map((each): [number, Written] => [each.place, each]));
    const again = new Set<number>();
    const lost = new Set<string>();
    const kept = new Set<string>();
    const op = this.#fill ? "fill" : "set";
    for (const { fresh, changes } of this.#waves) {
      const told = new Map([...fresh, ...changes.values()].map((each) => [each.place, each]));
      const wanted = [...changes.values()];
      for (const { id, place } of wanted) if (lost.has(id)) again.add(place);
      const left = wanted
        .filter(({ id }) => !lost.has(id))
        .map((each) => (retry || each.isWanted ? each : { ...each, version: undefined }));
      const [only, ...more] = left;
      if (change.kind === "lead.upsert" && only !== undefined && more.length === 0) change.leadId = only.id;
      const results = [
        ...(await insertLeads(tx, change, fresh.map(plain), { clearsOptOut: !this.#keepsOptOut })),
        ...(await changeLeads(tx, change, op, left.map(plain), { keepsOptOut: this.#keepsOptOut })),
      ];
      for (const each of results) {
        const { held = [], byExternal = false, isWanted = false } = told.get(each.place) ?? {};
        const { outcome } = each;
        if (each.keptOptOut === true) kept.add(each.id);
        if (
          retry &&
          (outcome === "missing" || (outcome === "stale" && !isWanted) || (outcome === "taken" && byExternal))
        ) {
          again.add(each.place);
          lost.add(each.id);
        } else written.set(each.place, { ...each, held });
      }
    }
    for (const { place, of, held, clears } of this.#repeated) {
      const first = written.get(of);
      if (first === undefined) again.add(place);
      else {
        const { outcome } = first;
        const same = outcome === "created" || outcome === "updated" ? "unchanged" : outcome;
        written.set(place, {
          ...{ ...first, place, outcome: same, held, keptOptOut: clears && kept.has(first.id) },
        });
      }
    }
    return { written: [...written.values()], again };
  }
}

/** What the writer of leads takes. */
const plain = <Lead extends More>({
  held: _,
  byExternal: __,
  isWanted: ___,
  ...lead
}: Lead): Omit<Lead, keyof More> => lead;

/** Lists with what is added to them. */
function united(patch: LeadPatch, added: Added): LeadPatch {
  return Object.fromEntries(
    Object.entries(added).map(([list, more]) => {
      const own = patch[list];
      return [list, [...new Set([...(Array.isArray(own) ? own : []), ...more])]];
    }),
  );
}

/** Whether a patch sets nothing that the records before it have not set. */
function addsNothing(
  { custom = {}, ...patch }: LeadPatch,
  added: Added | undefined,
  patches: readonly LeadPatch[],
): boolean {
  const before: LeadPatch = Object.assign({}, ...patches);
  before.custom = Object.assign({}, ...patches.map((each) => each.custom));
  const same = (value: unknown, known: unknown) => isDeepStrictEqual(value ?? null, known ?? null);
  return (
    Object.entries(patch).every(([field, value]) => field in before && same(value, before[field])) &&
    Object.entries(custom).every(
      ([key, value]) => key in (before.custom ?? {}) && same(value, before.custom?.[key]),
    ) &&
    Object.entries(added ?? {}).every(([list, more]) => {
      const known = before[list];
      return Array.isArray(known) && more.every((each) => known.includes(each));
    })
  );
}
