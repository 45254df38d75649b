import type { LeadPatch } from "../../fields/lead-input.ts";
import { FURTHER, type Holders, type KnownLead, MAIN } from "../identity/holders.ts";
import type { Identifier } from "../identity/identifiers.ts";
import type { Resolution } from "../identity/resolve.ts";

/** What only members decide about a lead, and what other systems know it by. */
const OF_MEMBERS = new Set(["status", "owner_id", "external_id"]);

/** What a form, whose key may only create leads, fills in a lead that is there. */
export const filledByForm = (patch: LeadPatch): LeadPatch =>
  Object.fromEntries(Object.entries(patch).filter(([field]) => !OF_MEMBERS.has(field)));

/**
 * What a record sets on the lead that was found, and which identifiers that gives it. A main e-mail, phone or external id that the lead has only as a
 * further one, or from a lead that was merged into it, stays so: two sources would overwrite each other for ever. Only a
 * record that names the lead by its own external id or id changes them. An e-mail in another case is the same.
 */
export function patchFor(
  { created_at: _, ...given }: LeadPatch,
  identifiers: readonly Identifier[],
  { lead, by, way }: Pick<Extract<Resolution, { by: Identifier }>, "lead" | "by" | "way">,
  holders: Holders,
  fill: boolean,
): { patch: LeadPatch; gives: Identifier[] } {
  const patch = { ...given };
  const gives: Identifier[] = [];
  const isNamed = way === MAIN && (by.kind === "id" || by.kind === "external_id");
  for (const identifier of identifiers) {
    const { field, value } = identifier;
    if (field === "id") continue;
    const isMain = field !== "emails" && field !== "phones";
    const had = holders.wayOf(lead.id, identifier);
    if (
      isMain &&
      ((!isNamed && had !== undefined && had !== MAIN) || (field === "email" && lead.email === value))
    ) {
      if (had === FURTHER) gives.push(...keptFurther(patch, identifier));
      delete patch[field];
      if (field === "phone") delete patch.phone_e164;
    } else if ((had !== MAIN || !isMain) && (!fill || isEmpty(lead, field))) gives.push(identifier);
  }
  return { patch, gives };
}

const isEmpty = (lead: KnownLead, field: Exclude<Identifier["field"], "id">): boolean =>
  field === "emails" || field === "phones" ? lead[field].length === 0 : lead[field] === null;

/** Keeps a further e-mail or phone in the list that a patch sets; returns it as what the lead has from then on. */
function keptFurther(patch: LeadPatch, identifier: Identifier): Identifier[] {
  const field = identifier.kind === "email" ? "emails" : "phones";
  const [own, entry] = [patch[field], patch[identifier.kind]];
  if (!Array.isArray(own) || typeof entry !== "string") return [];
  if (!own.some((each) => each.toLowerCase() === entry.toLowerCase())) patch[field] = [...own, entry];
  return [{ ...identifier, field }];
}
