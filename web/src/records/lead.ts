import type { Lead, LeadReceipt } from "../../../src/contract/nouns/lead.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import type { RecordKind } from "./use-save.ts";

/** A lead's value of a field by name, such as `custom.plan`; null if empty. */
export const leadValue = (lead: Lead, field: string): unknown =>
  (field.startsWith("custom.") ? lead.custom[field.slice(7)] : lead[field]) ?? null;

/** The body of a PATCH that sets one field. */
const patchOf = (field: string, value: unknown): object =>
  field.startsWith("custom.") ? { custom: { [field.slice(7)]: value } } : { [field]: value };

/** The lead with this value set. */
export const withValue = (lead: Lead, field: string, value: unknown): Lead =>
  field.startsWith("custom.")
    ? { ...lead, custom: { ...lead.custom, [field.slice(7)]: value } }
    : { ...lead, [field]: value };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** What a lead is called: its name, or the next best field that identifies it; empty if it has none. */
export function leadName(lead: Readonly<Record<string, unknown>>): string {
  const { name, first_name, last_name, email, phone, company, external_id } = lead;
  const full = [textOf(first_name), textOf(last_name)].filter((part) => part !== "").join(" ");
  return [name, full, email, phone, company, external_id].map(textOf).find((each) => each !== "") ?? "";
}

export const LEAD: RecordKind<Lead> = {
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  valueIn: leadValue,
  read: (call, { id }) => call("GET", "/v1/leads/{id}", { params: { id } }),
  write: (call, { id }, field, value, ifMatch) =>
    call("PATCH", "/v1/leads/{id}", { params: { id }, body: patchOf(field, value), ifMatch }),
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
