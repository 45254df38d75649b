import type { Lead, LeadPart } from "../../../src/contract/leads/lead.ts";

/** A lead as a list reads it: with its version, and the fields that were asked for. */
export type ListedLead = LeadPart & Pick<Lead, "version">;

export const isListed = (lead: LeadPart): lead is ListedLead => lead.version !== undefined;
