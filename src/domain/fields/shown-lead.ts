import { LEAD_FIELDS } from "../../contract/lists/lead-fields.ts";
import { maySql } from "../operation/may-sql.ts";
import type { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";

const ALL = LEAD_FIELDS.map(({ name }) => name);

/** What a caller sees of a lead that it may write but not read. */
const SHORT = LEAD_FIELDS.filter(({ shownToWriters }) => shownToWriters).map(({ name }) => name);

/**
 * Returns SQL for a row of `lead` as JSON text, shortened for callers who may not read leads, so that writing
 * reveals nothing; null for those who may only create.
 */
export function shownLead(row: string, caller: Credential, parameters: Parameters): string {
  const json = (names: readonly string[]) =>
    `(SELECT row_to_json(shown)::text FROM (SELECT ${names.map((name) => `${row}.${name}`).join(", ")}) AS shown)`;
  const mayWrite = caller.kind === "key" ? maySql(caller, parameters, "leads:write") : "true";
  return `CASE WHEN ${maySql(caller, parameters, "leads:read")} THEN ${json(ALL)} WHEN ${mayWrite} THEN ${json(SHORT)} END`;
}
