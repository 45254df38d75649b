import {
  FURTHER,
  HistoryModel,
  type ModelChange,
  type ModelLead,
} from "../../changes/support/history-model.ts";

const KINDS = ["external_id", "email", "phone"] as const;

export type Kind = (typeof KINDS)[number];

/** A record. Its values are in their normal form. */
export type Given = Readonly<Record<string, unknown>>;

export interface UpsertOptions {
  /** What to look by, instead of the rule. */
  matchOn?: readonly Kind[] | undefined;
  fill?: boolean | undefined;
  /** Further addresses that are added to the lists of the lead. */
  added?: Given;
}

/** What a record is answered with. `held` are addresses that its lead did not have, and the other leads that have them. */
export type ModelAnswer =
  | { outcome: "created" | "updated" | "unchanged"; lead: ModelLead; held: Held[] }
  | Unwritten;

interface Unwritten {
  outcome: "identity_conflict" | "ambiguous" | "external_id_taken" | "unknown_lead";
  leads: ModelLead[];
}

interface Held {
  field: string;
  leads: ModelLead[];
}

/** The lead that a record is about, if there is one, and whether it was found by its own id or external id. */
interface Chosen {
  lead: ModelLead | undefined;
  named: boolean;
}

interface Identifier {
  kind: Kind | "id";
  field: string;
  value: unknown;
  /** The main values of a record that are stronger than this one. */
  stronger: readonly Kind[];
}

/** The rule of identity in a plain model of leads, as simple as possible. */
export class IdentityModel extends HistoryModel {
  /** Finds the lead of a record and writes to it, or creates one. A lead that is created has `empty` fields besides; its id is not known yet. */
  upsert(change: ModelChange, given: Given, empty: Given, options: UpsertOptions = {}): ModelAnswer {
    const { matchOn, added = {} } = options;
    const record: Record<string, unknown> = { ...given };
    for (const [list, more] of Object.entries(added)) record[list] = united(given[list], more);
    const chosen = matchOn === undefined ? this.#decide(record) : this.#match(matchOn, record);
    if ("leads" in chosen) return chosen;
    const { lead, named } = chosen;
    if (lead === undefined && given.id !== undefined) return { outcome: "unknown_lead", leads: [] };
    const patch = lead === undefined ? record : this.#patch(lead, named, given, options);
    const held = this.#held(record, lead);
    const holder = this.holder(patch.external_id);
    if (holder !== undefined && holder !== lead) return { outcome: "external_id_taken", leads: [holder] };
    if (lead === undefined)
      return { outcome: "created", lead: this.create(change, "", { ...empty, ...record }), held };
    const { size } = this.set(change, lead, patch);
    return { outcome: size > 0 ? "updated" : "unchanged", lead, held };
  }

  /** Returns the leads that a value finds: that have it as their main one, else further, else by a merged lead. */
  find(kind: Kind | "id", value: unknown, isMatch = false): ModelLead[] {
    if (kind === "id") return this.alive.filter(({ id }) => id === value);
    const main = this.alive.filter(({ fields }) => fields[kind] === value);
    const further = isMatch ? [] : this.alive.filter((lead) => furtherOf(lead, kind).includes(value));
    const merged = this.leads
      .filter((lead) => valuesOf(lead, kind).includes(value))
      .flatMap((lead) => survivorOf(lead) ?? [])
      .filter((lead) => !isMatch || this.#hasMerged(lead, kind, value));
    return [...new Set([main, further, merged].find((leads) => leads.length > 0))];
  }

  #decide(given: Given): Chosen | Unwritten {
    let chosen: ModelLead | undefined;
    const others: ModelLead[] = [];
    for (const { kind, value, stronger } of identifiersOf(given)) {
      const found = this.find(kind, value);
      if (chosen === undefined) {
        const fitting = found.filter((lead) => this.#fits(lead, given, stronger));
        if (fitting.length > 1) return { outcome: "ambiguous", leads: fitting };
        [chosen] = fitting;
      } else if (found.length === 1 && !this.#has(chosen, kind, value)) others.push(...found);
    }
    if (chosen !== undefined && others.length > 0)
      return { outcome: "identity_conflict", leads: [...new Set([chosen, ...others])] };
    const { id, external_id: external } = given;
    const isOwn = typeof external === "string" && chosen?.fields.external_id === external;
    return { lead: chosen, named: isOwn || (id !== undefined && chosen?.id === id) };
  }

  /** Decides by the kinds that a caller chose: the first that finds a lead chooses it. */
  #match(order: readonly Kind[], given: Given): Chosen | Unwritten {
    const stronger = order.filter((kind) => kind === "external_id");
    for (const kind of order) {
      const value = given[kind];
      if (typeof value !== "string") continue;
      const found = this.find(kind, value, true).filter((lead) => this.#fits(lead, given, stronger));
      if (found.length > 1) return { outcome: "ambiguous", leads: found };
      const [lead] = found;
      if (lead !== undefined) return { lead, named: kind === "external_id" && lead.fields[kind] === value };
    }
    return { lead: undefined, named: false };
  }

  /**
   * What a record writes to its lead. A main value that the lead has as a further or merged one stays so, unless the record names
   * the lead by its own external id.
   */
  #patch(
    lead: ModelLead,
    named: boolean,
    given: Given,
    { fill = false, added = {} }: UpsertOptions,
  ): Record<string, unknown> {
    const { id: _, ...patch }: Record<string, unknown> = given;
    for (const kind of KINDS) {
      const value = given[kind];
      if (typeof value !== "string" || named || !this.#has(lead, kind, value)) continue;
      delete patch[kind];
      const list = `${kind}s`;
      if (lead.fields[kind] !== value && furtherOf(lead, kind).includes(value) && list in patch)
        patch[list] = united(patch[list], [value]);
    }
    for (const [list, more] of Object.entries(added))
      patch[list] = united(patch[list] ?? (fill ? [] : lead.fields[list]), more);
    const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
    return Object.fromEntries(
      Object.entries(patch).filter(([field]) => !fill || isEmpty(lead.fields[field])),
    );
  }

  /** The other leads that have addresses of a record which its lead does not have yet. */
  #held(given: Given, lead: ModelLead | undefined): Held[] {
    return identifiersOf(given).flatMap(({ kind, field, value }) => {
      if (lead !== undefined && this.#has(lead, kind, value)) return [];
      const leads = this.alive.filter((each) => each !== lead && this.#has(each, kind, value));
      return leads.length > 0 ? [{ field, leads }] : [];
    });
  }

  /** Whether a lead has no other value of the stronger kinds that are given. */
  #fits(lead: ModelLead, given: Given, stronger: readonly Kind[]): boolean {
    if (given.id !== undefined && given.id !== lead.id) return false;
    return stronger.every((kind) => {
      const value = given[kind];
      return typeof value !== "string" || lead.fields[kind] === null || this.#has(lead, kind, value);
    });
  }

  /** Whether the lead has the value, as main or further one, or by a lead that was merged into it. */
  #has(lead: ModelLead, kind: Kind | "id", value: unknown): boolean {
    if (kind === "id") return lead.id === value;
    return valuesOf(lead, kind).includes(value) || this.#hasMerged(lead, kind, value);
  }

  #hasMerged(lead: ModelLead, kind: Kind, value: unknown): boolean {
    return this.leads.some(
      (each) => each !== lead && survivorOf(each) === lead && valuesOf(each, kind).includes(value),
    );
  }
}

/** The identifiers of a record, the strongest first. */
function identifiersOf(given: Given): Identifier[] {
  const main = KINDS.map((kind, n) => ({
    ...{ kind, field: kind, value: given[kind], stronger: KINDS.slice(0, n) },
  }));
  const further = FURTHER.flatMap(([kind, field]) =>
    ((given[field] ?? []) as string[]).map((value) => ({ kind, field, value, stronger: KINDS })),
  );
  const all = [{ kind: "id" as const, field: "id", value: given.id, stronger: [] }, ...main, ...further];
  return all.filter(
    ({ kind, value }, i) =>
      typeof value === "string" && all.findIndex((each) => each.kind === kind && each.value === value) === i,
  );
}

const furtherOf = ({ fields }: ModelLead, kind: Kind): readonly unknown[] =>
  kind === "external_id" ? [] : (fields[`${kind}s`] as unknown[]);

const valuesOf = (lead: ModelLead, kind: Kind): unknown[] => [lead.fields[kind], ...furtherOf(lead, kind)];

function survivorOf(lead: ModelLead): ModelLead | undefined {
  if (lead.mergedInto !== undefined) return survivorOf(lead.mergedInto);
  return lead.deleted ? undefined : lead;
}

const united = (list: unknown, more: unknown): unknown[] => [
  ...new Set([...((list ?? []) as unknown[]), ...(more as unknown[])]),
];
