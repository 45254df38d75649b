import { newId } from "../../core/id.ts";
import type { Patch, Value } from "./value.ts";

/** A lead while a batch works on it: what is stored, or will be. `events` are the keys it already has. */
export interface BookedLead {
  id: string;
  fresh: boolean;
  changed: boolean;
  values: Map<string, Value | null>;
  events: Set<string>;
}

/** The leads that a batch's rows may mean, found by external id or e-mail (any case). */
export class LeadBook {
  readonly leads: BookedLead[] = [];
  readonly #byIdentity = new Map<string, Set<BookedLead>>();

  add(lead: BookedLead): void {
    this.leads.push(lead);
    this.#index(lead);
  }

  addNew(): BookedLead {
    const lead = {
      id: newId("lead"),
      fresh: true,
      changed: true,
      values: new Map(),
      events: new Set<string>(),
    };
    this.leads.push(lead);
    return lead;
  }

  /** Changes a lead's values, and what it is found by. */
  change(lead: BookedLead, values: Iterable<[string, Value | null]>): void {
    for (const key of identities(lead.values)) this.#byIdentity.get(key)?.delete(lead);
    for (const [field, value] of values) lead.values.set(field, value);
    lead.changed = true;
    this.#index(lead);
  }

  /** The leads that a row means: those with its external id; else those with its e-mail and no other external id. */
  find(patch: Patch): BookedLead[] {
    const [external, email] = identityParts(patch);
    const found = this.#with(external);
    if (found.length > 0) return found;
    const candidates = this.#with(email);
    return candidates.filter((lead) => external === undefined || !lead.values.get("external_id"));
  }

  #with(key: string | undefined): BookedLead[] {
    return key === undefined ? [] : [...(this.#byIdentity.get(key) ?? [])];
  }

  #index(lead: BookedLead): void {
    for (const key of identities(lead.values)) {
      const leads = this.#byIdentity.get(key);
      if (leads === undefined) this.#byIdentity.set(key, new Set([lead]));
      else leads.add(lead);
    }
  }
}

const identities = (values: Patch): string[] => identityParts(values).filter((key) => key !== undefined);

function identityParts(values: Patch): [string | undefined, string | undefined] {
  const of = (field: string) => {
    const value = values.get(field);
    return typeof value === "string" ? value : undefined;
  };
  const [external, email] = [of("external_id"), of("email")];
  return [
    external === undefined ? undefined : `x${external}`,
    email === undefined ? undefined : `m${email.toLowerCase()}`,
  ];
}
