import type { Addresses } from "./rows.ts";

type Kind = "external_id" | "email" | "phone";

export interface ModelLead {
  id: string;
  external_id: string | null;
  email: string | null;
  phone: string | null;
  emails: string[];
  phones: string[];
  deleted: boolean;
  survivor: ModelLead | undefined;
}

interface Identifier {
  kind: Kind;
  value: string;
  /** The main values of a record that are stronger than this one. */
  stronger: readonly Kind[];
}

/** What a record is answered with. `held` are the other leads that have its addresses. */
export type ModelAnswer =
  | { outcome: "created" | "updated" | "unchanged"; lead: ModelLead; held: ModelLead[] }
  | { outcome: "identity_conflict" | "ambiguous"; leads: ModelLead[] };

/** The rule of identity in an in-memory list of leads, as simple as possible. Values are in their normal form. */
export class IdentityModel {
  readonly leads: ModelLead[] = [];

  get alive(): ModelLead[] {
    return this.leads.filter((lead) => this.#survivorOf(lead) === lead);
  }

  /** Creates a lead without looking for it; undefined if another lead has the external id. */
  create(given: Addresses): ModelLead | undefined {
    const taken = this.alive.some(({ external_id: id }) => id !== null && id === given.external_id);
    return taken ? undefined : this.#add(given);
  }

  upsert(given: Addresses): ModelAnswer {
    let chosen: ModelLead | undefined;
    const held: ModelLead[] = [];
    const others: ModelLead[] = [];
    for (const identifier of identifiersOf(given)) {
      const found = this.find(identifier.kind, identifier.value);
      if (chosen === undefined) {
        const fitting = found.filter((lead) => this.#fits(lead, given, identifier));
        if (fitting.length > 1) return { outcome: "ambiguous", leads: fitting };
        [chosen] = fitting;
        held.push(...found.filter((lead) => lead !== chosen));
      } else if (found.length === 1 && !this.#has(chosen, identifier)) others.push(...found);
    }
    if (chosen === undefined) return { outcome: "created", lead: this.#add(given), held };
    if (others.length > 0) return { outcome: "identity_conflict", leads: [...new Set([chosen, ...others])] };
    return { outcome: this.#write(chosen, given) ? "updated" : "unchanged", lead: chosen, held };
  }

  /** Returns the leads that a value finds: that have it as their main one, else further, else by a merged lead. */
  find(kind: Kind, value: string): ModelLead[] {
    const main = this.alive.filter((lead) => lead[kind] === value);
    const further = this.alive.filter((lead) => furtherOf(lead, kind).includes(value));
    const merged = this.leads
      .filter((lead) => valuesOf(lead, kind).includes(value))
      .flatMap((lead) => this.#survivorOf(lead) ?? []);
    return [...new Set([main, further, merged].find((leads) => leads.length > 0))];
  }

  /** Merges the loser into the winner, which keeps its main values and loses no address. */
  merge(winner: ModelLead, loser: ModelLead): void {
    winner.external_id ??= loser.external_id;
    for (const kind of ["email", "phone"] as const) {
      const all = [...valuesOf(winner, kind), ...valuesOf(loser, kind)];
      winner[kind] ??= loser[kind];
      winner[`${kind}s`] = [...new Set(all)].filter((value) => value !== winner[kind]);
    }
    loser.survivor = winner;
  }

  delete(lead: ModelLead): void {
    lead.deleted = true;
  }

  #add({ external_id = null, email = null, phone = null, emails = [], phones = [] }: Fields): ModelLead {
    const lists = { emails: [...emails], phones: [...phones] };
    const lead = { id: "", external_id, email, phone, ...lists, deleted: false, survivor: undefined };
    this.leads.push(lead);
    return lead;
  }

  /**
   * Writes the given values; returns whether that is a change. A main value that the lead has as a further or merged one stays so,
   * unless the record names the lead by its own external id.
   */
  #write(lead: ModelLead, given: Addresses): boolean {
    const before = JSON.stringify(contents(lead));
    const isNamed = given.external_id !== undefined && lead.external_id === given.external_id;
    for (const kind of ["external_id", "email", "phone"] as const) {
      const value = given[kind];
      if (value !== undefined && (isNamed || !this.#has(lead, { kind, value }))) lead[kind] = value;
    }
    if (given.emails !== undefined) lead.emails = [...given.emails];
    if (given.phones !== undefined) lead.phones = [...given.phones];
    return JSON.stringify(contents(lead)) !== before;
  }

  /** Whether a lead that an identifier finds has no other value of a stronger kind that was given. */
  #fits(lead: ModelLead, given: Addresses, { stronger }: Identifier): boolean {
    return stronger.every((kind) => {
      const value = given[kind];
      return value === undefined || lead[kind] === null || this.#has(lead, { kind, value });
    });
  }

  /** Whether the lead has the value, as main or further one, or by a lead that was merged into it. */
  #has(lead: ModelLead, { kind, value }: Pick<Identifier, "kind" | "value">): boolean {
    return this.leads.some((each) => this.#survivorOf(each) === lead && valuesOf(each, kind).includes(value));
  }

  #survivorOf(lead: ModelLead): ModelLead | undefined {
    if (lead.survivor !== undefined) return this.#survivorOf(lead.survivor);
    return lead.deleted ? undefined : lead;
  }
}

/** Addresses, of which absent ones may be null. */
type Fields = Pick<Addresses, "emails" | "phones"> & { [Field in Kind]?: string | null };

/** The identifiers of a record, the strongest first. */
function identifiersOf({ external_id, email, phone, emails = [], phones = [] }: Addresses): Identifier[] {
  const one = (kind: Kind, value: string | undefined, stronger: readonly Kind[]): Identifier[] =>
    value === undefined ? [] : [{ kind, value, stronger }];
  return [
    ...one("external_id", external_id, []),
    ...one("email", email, ["external_id"]),
    ...one("phone", phone, ["external_id", "email"]),
    ...emails.flatMap((value) => one("email", value, ["external_id", "email", "phone"])),
    ...phones.flatMap((value) => one("phone", value, ["external_id", "email", "phone"])),
  ];
}

const furtherOf = (lead: ModelLead, kind: Kind): readonly string[] =>
  kind === "external_id" ? [] : lead[`${kind}s`];

const valuesOf = (lead: ModelLead, kind: Kind): string[] => [
  ...(lead[kind] === null ? [] : [lead[kind]]),
  ...furtherOf(lead, kind),
];

/** What of a lead is compared with the service. */
export const contents = ({ id, external_id, email, phone, emails, phones }: ModelLead) => ({
  ...{ id, external_id, email, phone },
  ...{ emails: [...emails].sort(), phones: [...phones].sort() },
});
