import type { Call } from "../../protocol/registry.ts";
import { outside } from "./outside-text.ts";

/** Returns the URL of a lead in the panel. */
export const leadUrl = ({ service, caller }: Call, id: string): string =>
  `${service.config.authUrl}/projects/${caller.projectId}/leads/${id}`;

interface Named {
  id: string;
  display_name?: string | null;
  email?: string | null;
  phone?: string | null;
  company?: string | null;
}

const LONGEST = 200;

/** Returns the name that people know a lead by: its display name, its e-mail address or its phone number. */
export function nameOf(lead: object): string | undefined {
  const { display_name: name, email, phone } = lead as Named;
  return name || email || phone || undefined;
}

/** Returns a lead's name and company in one short line; its id if neither is known. */
export function leadTitle(given: object): string {
  const lead = outside(given) as Named;
  const { id, company } = lead;
  const who = nameOf(lead);
  const line = [who ?? (company == null ? id : undefined), company].filter(Boolean).join(", ");
  const flat = line.replaceAll(/\s+/g, " ").trim();
  return flat.length > LONGEST ? `${flat.slice(0, LONGEST).toWellFormed()}…` : flat;
}
