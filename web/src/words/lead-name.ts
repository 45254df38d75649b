import type { Lead } from "../../../src/contract/leads/lead.ts";

type Named = Partial<Pick<Lead, "display_name" | "name" | "email" | "phone" | "company" | "external_id">>;

/** What a lead is called: its display name, or the next best field that identifies it; empty if it has none. */
export function leadName(lead: Named): string {
  const { display_name, name, email, phone, company, external_id } = lead;
  return [display_name, name, email, phone, company, external_id].find(Boolean) ?? "";
}
