import { LEAD_FIELDS } from "../../contract/lists/lead-fields.ts";
import { maySql } from "../operation/may-sql.ts";
import type { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";
import { columnSql } from "./lead-field.ts";

const ALL = LEAD_FIELDS.map(({ name }) => name);

/** What a caller sees of a lead that it may write but not read. */
const SHORT = LEAD_FIELDS.filter(({ shownToWriters }) => shownToWriters).map(({ name }) => name);

/**
 * Returns SQL for a row of `lead` as JSON text, shortened for callers who may not read leads, so that writing
 * reveals nothing; null for those who may only create. `instead` has SQL for columns whose value the row does not have.
 */
export function shownLead(
  row: string,
  caller: Credential,
  parameters: Parameters,
  instead: Readonly<Record<string, string>> = {},
): string {
  const column = (name: string) =>
    name in instead ? `${instead[name]} AS ${name}` : columnSql(name, `${row}.`);
  const json = (names: readonly string[]) =>
    `(SELECT row_to_json(shown)::text FROM (SELECT ${names.map(column).join(", ")}) AS shown)`;
  const mayWrite = caller.kind === "key" ? maySql(caller, parameters, "leads:write") : "true";
  return `CASE WHEN ${maySql(caller, parameters, "leads:read")} THEN ${json(ALL)} WHEN ${mayWrite} THEN ${json(SHORT)} END`;
}
