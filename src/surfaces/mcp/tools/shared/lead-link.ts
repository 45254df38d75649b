import type { Call } from "../../protocol/registry.ts";
import { outside } from "./outside-text.ts";

/** Returns the URL of a lead in the panel. */
export const leadUrl = ({ service, caller }: Call, id: string): string =>
  `${service.config.authUrl}/projects/${caller.projectId}/leads/${id}`;

interface Named {
  id: string;
  name?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  email?: string | null;
  phone?: string | null;
  company?: string | null;
}

const LONGEST = 200;

/** Returns a lead's name and company in one short line; its id if neither is known. */
export function leadTitle(given: object): string {
  const lead = outside(given) as Named;
  const { id, name, first_name: first, last_name: last, email, phone, company } = lead;
  const parts = [first, last].filter((part) => part !== undefined);
  const who = name ?? (parts.length > 0 ? parts.join(" ") : (email ?? phone));
  const line = [who ?? (company === undefined ? id : undefined), company].filter(Boolean).join(", ");
  const flat = line.replaceAll(/\s+/g, " ").trim();
  return flat.length > LONGEST ? `${flat.slice(0, LONGEST).toWellFormed()}…` : flat;
}
