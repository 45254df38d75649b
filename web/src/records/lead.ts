import { addressIn } from "../../../src/core/navigation.ts";
import type { RecordKind } from "./use-save.ts";

/** A lead as the API shows it; fields by their names, the project's own under `custom`. */
export type Lead = Readonly<Record<string, unknown>> & {
  id: string;
  version: number;
  status: string;
  custom: Readonly<Record<string, unknown>>;
};

interface Actor {
  type?: string;
  id?: string | null;
  label?: string | null;
}

/** Something that happened to a lead. */
export interface LeadEvent {
  id: string;
  type: string;
  occurred_at: string;
  source: string | null;
  actor: Actor | null;
  title: string;
  data: Readonly<Record<string, unknown>>;
  merged_from: string | null;
}

/** A lead's value of a field by its name, `custom.plan` among them; null for none. */
export const leadValue = (lead: Lead, field: string): unknown =>
  (field.startsWith("custom.") ? lead.custom[field.slice(7)] : lead[field]) ?? null;

/** The body of a PATCH that sets one field. */
const patchOf = (field: string, value: unknown): object =>
  field.startsWith("custom.") ? { custom: { [field.slice(7)]: value } } : { [field]: value };

/** The lead as it will be with this value. */
export const withValue = (lead: Lead, field: string, value: unknown): Lead =>
  field.startsWith("custom.")
    ? { ...lead, custom: { ...lead.custom, [field.slice(7)]: value } }
    : { ...lead, [field]: value };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** What a lead is called: its name, else the next best that tells it from others; empty where nothing does. */
export function leadName(lead: Readonly<Record<string, unknown>>): string {
  const { name, first_name, last_name, email, phone, company, external_id } = lead;
  const full = [textOf(first_name), textOf(last_name)].filter((part) => part !== "").join(" ");
  return [name, full, email, phone, company, external_id].map(textOf).find((each) => each !== "") ?? "";
}

export const leadPath = (id: string): string => `/v1/leads/${encodeURIComponent(id)}`;

export const LEAD: RecordKind<Lead> = {
  idOf: ({ id }) => id,
  versionOf: ({ version }) => version,
  pathOf: ({ id }) => leadPath(id),
  valueIn: leadValue,
  patchOf,
};

const LISTS = /^(leads|board|duplicates|dashboard|datasets\/[\w-]+)(\?|$)/;

/** The address of a lead. `from` is the place one comes from under the project, such as `leads?q=ana`: the way back, and to its neighbours. */
export function leadAddress(projectId: string, leadId: string, from?: string): string {
  const query = from === undefined || from === "leads" ? "" : `?${new URLSearchParams({ from })}`;
  return addressIn(projectId, `leads/${encodeURIComponent(leadId)}`) + query;
}

/** The place in a lead's `from`; the leads table for anything that is no list of ours. */
export const placeBack = (from: string): string => (LISTS.test(from) ? from : "leads");
