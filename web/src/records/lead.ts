import type { Lead, LeadPart, LeadReceipt } from "../../../src/contract/leads/lead.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import type { RecordKind } from "./use-save.ts";

/** A lead's value of a field by name, such as `custom.plan`; null if empty. */
export function leadValue(lead: LeadPart, field: string): unknown {
  const values: Readonly<Record<string, unknown>> = field.startsWith("custom.") ? (lead.custom ?? {}) : lead;
  return values[field.replace(/^custom\./, "")] ?? null;
}

/** The body of a PATCH that sets one field. */
export const patchOf = (field: string, value: unknown): object =>
  field.startsWith("custom.") ? { custom: { [field.slice(7)]: value } } : { [field]: value };

/** The lead with this value set. */
export const withValue = <L extends LeadPart>(lead: L, field: string, value: unknown): L =>
  field.startsWith("custom.")
    ? { ...lead, custom: withCustom(lead, field.slice(7), value) }
    : { ...lead, [field]: value, ...(NAMES.has(field) && { display_name: null }) };

/** What the service makes the display name of: once one of them changes, it is not known until the service answers. */
const NAMES: ReadonlySet<string> = new Set(["name", "first_name", "last_name"]);

/** The custom fields with this value; empty ones are left out, as in the API's answers. */
function withCustom({ custom = {} }: LeadPart, key: string, value: unknown): Lead["custom"] {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return { ...custom, [key]: value };
  const { [key]: _, ...others } = custom;
  return others;
}

/** The lead that a write returned. People who may write leads may also read them, so it is never a receipt. */
export function written(lead: Lead | LeadReceipt): Lead {
  if ("custom" in lead) return lead;
  throw new Error("the service returned only a receipt");
}

/** Whether a lead of a page has all its fields, as it does unless the query names some. */
export const isWhole = (lead: LeadPart): lead is Lead => lead.custom !== undefined;

export const LEAD: RecordKind<Lead> = {
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  valueIn: leadValue,
  read: (call, { id }) => call("GET", "/v1/leads/{id}", { params: { id } }),
  async write(write, { id }, field, value, ifMatch, reason) {
    const body = { ...patchOf(field, value), ...(reason === undefined ? {} : { reason }) };
    const { answer, change } = await write("PATCH", "/v1/leads/{id}", { params: { id }, body, ifMatch });
    return { answer: written(answer), change };
  },
};

const LISTS = /^(leads|board|duplicates|dashboard|datasets\/[\w-]+)(\?|$)/;

/**
 * The path of a lead. `from` is the list the person comes from, relative to the project, such as
 * `leads?q=ana`. It leads back and to the neighbouring leads.
 */
export function leadAddress(projectId: string, leadId: string, from?: string): string {
  const query = from === undefined || from === "leads" ? "" : `?${new URLSearchParams({ from })}`;
  return addressIn(projectId, `leads/${encodeURIComponent(leadId)}`) + query;
}

/** The list in a lead's `from`; the leads table if it is not one of our lists. */
export const placeBack = (from: string): string => (LISTS.test(from) ? from : "leads");
