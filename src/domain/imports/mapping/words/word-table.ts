import type { LeadFieldName } from "../../../../contract/lists/lead-fields.ts";

/** What a header can mean. */
export type WordField = LeadFieldName | "note";

/** Common headers of the fields in one language. Each text lists some, separated by semicolons. */
export type WordTable = Readonly<Partial<Record<WordField, readonly string[]>>>;
