import { addressIn } from "../../../src/core/navigation.ts";

const LISTS = /^(leads|board|duplicates|dashboard|datasets\/[\w-]+)(\?|$)/;

/** The address of a lead. `from` is the place one comes from under the project, such as `leads?q=ana`: the way back, and to its neighbours. */
export function leadAddress(projectId: string, leadId: string, from?: string): string {
  const query = from === undefined || from === "leads" ? "" : `?${new URLSearchParams({ from })}`;
  return addressIn(projectId, `leads/${encodeURIComponent(leadId)}`) + query;
}

/** The place in a lead's `from`; the leads table for anything that is no list of ours. */
export const placeBack = (from: string): string => (LISTS.test(from) ? from : "leads");
