import { newId } from "../../../core/id.ts";
import { isCustom, type Patch, type Value } from "../../values/value.ts";

const IDENTITIES = ["external_id", "email"];

/** A lead while a batch works on it, as stored or to be stored. `events` are the keys that it already has. */
export interface MappedLead {
  id: string;
  fresh: boolean;
  changed: boolean;
  values: Map<string, Value | null>;
  /** The original values of changed fields of a stored lead. */
  before: Map<string, Value | null>;
  events: Set<string>;
  /** Created by an earlier row of a dry run: not stored, but later rows treat it as stored. */
  phantom?: true;
  /** Created or changed by an earlier row of a dry run. */
  touched?: true;
}

/** The leads that a batch's rows may refer to, found by external id or e-mail (ignoring case). */
export class LeadIdentityMap {
  readonly leads: MappedLead[] = [];
  readonly #byIdentity = new Map<string, Set<MappedLead>>();

  add(lead: MappedLead): void {
    this.leads.push(lead);
    this.#index(lead);
  }

  /**
   * Adds the lead that a row creates. It shares the row's patch, which must not change because the row may be
   * placed again.
   */
  addNew(patch: Patch): MappedLead {
    const lead: MappedLead = {
      id: newId("lead"),
      fresh: true,
      changed: true,
      values: patch,
      before: new Map(),
      events: new Set<string>(),
    };
    this.add(lead);
    return lead;
  }

  /** Changes a lead's values and its identities. */
  change(lead: MappedLead, values: Iterable<[string, Value | null]>): void {
    const known = identities(lead);
    if (lead.fresh) lead.values = new Map(lead.values);
    for (const [field, value] of values) {
      if (field === "id") continue;
      if (!lead.fresh && !lead.before.has(field)) lead.before.set(field, lead.values.get(field) ?? null);
      lead.values.set(field, value);
    }
    lead.changed = true;
    const now = identities(lead);
    for (const key of known) if (!now.includes(key)) this.#byIdentity.get(key)?.delete(lead);
    this.#index(lead, now);
  }

  /**
   * Finds a row's leads: by id; else by external id; else by e-mail, without those with another external id; with
   * neither external id nor e-mail, by phone.
   */
  find(patch: Patch): MappedLead[] {
    const { id, external, email, phone } = identityParts(patch);
    if (id !== undefined) return this.#with(id);
    const found = this.#with(external);
    if (found.length > 0) return found;
    if (external === undefined && email === undefined) return this.#with(phone);
    const candidates = this.#with(email);
    return candidates.filter((lead) => external === undefined || !lead.values.get("external_id"));
  }

  /** Returns another lead that has this external id. */
  holderOf(external: Value | null | undefined, lead: MappedLead): MappedLead | undefined {
    return typeof external === "string"
      ? this.#with(`x${external}`).find((other) => other !== lead)
      : undefined;
  }

  #with(key: string | undefined): MappedLead[] {
    return key === undefined ? [] : [...(this.#byIdentity.get(key) ?? [])];
  }

  #index(lead: MappedLead, keys = identities(lead)): void {
    for (const key of keys) {
      const leads = this.#byIdentity.get(key);
      if (leads === undefined) this.#byIdentity.set(key, new Set([lead]));
      else leads.add(lead);
    }
  }
}

function identities({ id, values }: MappedLead): string[] {
  const { external, email, phone } = identityParts(values);
  return [`i${id}`, external, email, phone].filter((key) => key !== undefined);
}

function identityParts(values: Patch): Record<"id" | "external" | "email" | "phone", string | undefined> {
  const of = (mark: string, field: string) => {
    const value = values.get(field);
    return typeof value === "string" ? mark + value : undefined;
  };
  return {
    id: of("i", "id"),
    external: of("x", "external_id"),
    email: of("m", "email")?.toLowerCase(),
    phone: of("p", "phone_e164"),
  };
}

/** The columns of `lead` that hold these fields, always with the identities. */
export function columnsOf(fields: readonly string[]): string[] {
  const columns = fields.map((field) => (isCustom(field) ? "custom" : field));
  return [...new Set([...IDENTITIES, ...columns])];
}
