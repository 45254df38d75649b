import type { Lead } from "../../../src/contract/leads/lead.ts";

type Named = Partial<
  Pick<Lead, "name" | "first_name" | "last_name" | "email" | "phone" | "company" | "external_id">
>;

/** What a lead is called: its name, or the next best field that identifies it; empty if it has none. */
export function leadName(lead: Named): string {
  const { name, first_name, last_name, email, phone, company, external_id } = lead;
  const full = [first_name, last_name].filter(Boolean).join(" ");
  return [name, full, email, phone, company, external_id].find(Boolean) ?? "";
}
