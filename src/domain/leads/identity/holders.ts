import type { Row } from "../../../db/wire/statement-batch.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { e164Of } from "../../values/read-phone.ts";
import { type Identifier, keyOf } from "./identifiers.ts";

/** How a lead has an identifier, as a bit: as its main one, as a further one, or because a lead had it that was merged into it. */
export const MAIN = 1;
export const FURTHER = 2;
const MERGED = 4;

/** A lead that has an identifier, and in which ways. */
export interface Having {
  id: string;
  ways: number;
}

/** The way in which a lead has an identifier most nearly, perhaps without one way; 0 if there is no other. */
export const nearest = ({ ways }: Having, without = 0): number => ways & ~without & -(ways & ~without);

/** A lead that is neither deleted nor merged, and what identifies it. */
export interface KnownLead {
  id: string;
  external_id: string | null;
  /** In lower case. */
  email: string | null;
  /** In E.164, or as it was written if that is no number. */
  phone: string | null;
  /** Further ones. */
  emails: readonly string[];
  phones: readonly string[];
  /** Undefined if the lead is changed by a record before. */
  version: number | undefined;
}

/** A lead that a look found. */
export interface Found extends Row {
  id: string;
  external_id: string | null;
  email: string | null;
  phone: string | null;
  phone_e164: string | null;
  emails: string[] | null;
  phones: string[] | null;
  version: number;
  /** The lead itself, or the one that it was merged into; null if that was deleted. */
  owner: string | null;
}

/**
 * Who has which identifiers, while a call or a batch decides about its records one by one: a later record finds what an
 * earlier one is going to write.
 */
export class Holders {
  /** Whether the caller may only fill the leads that are found, because its key may only create leads. */
  onlyFills = false;
  readonly leads = new Map<string, KnownLead>();
  readonly #of = new Map<string, Having[]>();
  readonly #survivors = new Set<string>();

  /** The leads that have the identifier. */
  of({ key }: Pick<Identifier, "key">): readonly Having[] {
    return this.#of.get(key) ?? NOBODY;
  }

  /** In which way a lead has the identifier most nearly; undefined if it does not have it. */
  wayOf(id: string, identifier: Pick<Identifier, "key">): number | undefined {
    const having = this.of(identifier).find((each) => each.id === id);
    return having && nearest(having);
  }

  has(id: string, identifier: Pick<Identifier, "key">): boolean {
    return this.of(identifier).some((each) => each.id === id);
  }

  /** Survivors of merged leads that were found, which were not read themselves. */
  get missing(): string[] {
    return [...this.#survivors].filter((id) => !this.leads.has(id));
  }

  /** Notes leads that are stored, and what they identify. */
  read(found: readonly Found[], country: string | null): void {
    const seen = new Set<string>();
    for (const { id, owner, external_id, email, phone, phone_e164: number, version, ...lists } of found) {
      if (owner === null || seen.has(id)) continue;
      seen.add(id);
      const isMerged = owner !== id;
      const emails = lists.emails ?? [];
      const phones = lists.phones?.flatMap((each) => e164Of(each, country) ?? []) ?? [];
      if (isMerged) this.#survivors.add(owner);
      else this.leads.set(id, { id, external_id, email, phone: number ?? phone, emails, phones, version });
      const [main, further] = isMerged ? [MERGED, MERGED] : [MAIN, FURTHER];
      if (!isMerged) this.#add(owner, keyOf("id", id), MAIN);
      if (external_id !== null) this.#add(owner, keyOf("external_id", external_id), main);
      if (email !== null) this.#add(owner, keyOf("email", email), main);
      if (number !== null) this.#add(owner, keyOf("phone", number), main);
      for (const each of emails) this.#add(owner, keyOf("email", each), further);
      for (const each of phones) this.#add(owner, keyOf("phone", each), further);
    }
  }

  /** Notes a lead that is going to be created. */
  create(id: string, identifiers: readonly Identifier[]): void {
    const lead = {
      id,
      external_id: null,
      email: null,
      phone: null,
      emails: [],
      phones: [],
      version: undefined,
    };
    this.leads.set(id, lead);
    this.give(id, identifiers);
  }

  /** Notes the identifiers that a lead is going to get, and which main ones it gives up for them. */
  give(id: string, identifiers: readonly Identifier[]): void {
    const lead = this.leads.get(id);
    if (lead === undefined) return;
    lead.version = undefined;
    for (const { key, field, value } of identifiers) {
      if (field === "emails" || field === "phones") lead[field] = [...lead[field], value];
      else if (field !== "id" && lead[field] !== value) {
        if (lead[field] !== null) this.#remove(id, keyOf(field, lead[field]), MAIN);
        lead[field] = value;
      }
      this.#add(id, key, wayOf(field));
    }
  }

  /** Notes which identifiers a lead is going to lose: main ones that a patch empties, and further ones whose list it sets. */
  take(id: string, patch: LeadPatch): void {
    const lead = this.leads.get(id);
    if (lead === undefined) return;
    for (const field of ["external_id", "email", "phone"] as const) {
      if (patch[field] !== null) continue;
      this.#remove(id, keyOf(field, lead[field] ?? ""), MAIN);
      lead[field] = null;
    }
    for (const [list, kind] of [["emails", "email"] as const, ["phones", "phone"] as const]) {
      if (!Array.isArray(patch[list])) continue;
      for (const value of lead[list]) this.#remove(id, keyOf(kind, value), FURTHER);
      lead[list] = [];
    }
  }

  #add(id: string, key: string, way: number): void {
    const known = this.#of.get(key);
    const own = known?.find((each) => each.id === id);
    if (own !== undefined) own.ways |= way;
    else if (known !== undefined) known.push({ id, ways: way });
    else this.#of.set(key, [{ id, ways: way }]);
  }

  #remove(id: string, key: string, way: number): void {
    const own = this.#of.get(key)?.find((each) => each.id === id);
    if (own === undefined) return;
    own.ways &= ~way;
    if (own.ways === 0) this.#of.set(key, this.#of.get(key)?.filter((each) => each !== own) ?? []);
  }
}

const NOBODY: readonly Having[] = [];

const wayOf = (field: Identifier["field"]): number =>
  field === "emails" || field === "phones" ? FURTHER : MAIN;
