import { type LeadSection, SECTION_OF } from "../../../../src/contract/lists/lead-fields.ts";

export type SectionName = LeadSection | "own";

/** The order of the sections. */
const NAMES: readonly SectionName[] = ["contact", "sales", "own", "attribution", "consent", "record"];

/** The standard fields in the order in which people look for them; custom fields are in `own`. */
export const SECTIONS: readonly (readonly [SectionName, readonly string[]])[] = NAMES.map((name) => [
  name,
  Object.entries(SECTION_OF).flatMap(([field, section]) => (section === name ? [field] : [])),
]);
