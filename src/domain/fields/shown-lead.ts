import { LEAD_FIELDS } from "../../contract/lists/lead-fields.ts";
import type { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";

const ALL = LEAD_FIELDS.map(({ name }) => name);

/** What a caller sees of a lead that it may write but not read. */
const SHORT = LEAD_FIELDS.filter(({ shownToWriters }) => shownToWriters).map(({ name }) => name);

/**
 * Returns SQL for a row of `lead` as JSON text, shortened for callers who may not read leads, so that writing
 * reveals nothing.
 */
export function shownLead(row: string, caller: Credential, parameters: Parameters): string {
  const json = (names: readonly string[]) =>
    `(SELECT row_to_json(shown)::text FROM (SELECT ${names.map((name) => `${row}.${name}`).join(", ")}) AS shown)`;
  return `CASE WHEN ${mayReadSql(caller, parameters)} THEN ${json(ALL)} ELSE ${json(SHORT)} END`;
}

/** Returns SQL for whether the caller may read leads, or rows of datasets. */
export function mayReadSql(
  caller: Credential,
  parameters: Parameters,
  permission: "leads:read" | "datasets:read" = "leads:read",
): string {
  const project = parameters.text(caller.projectId);
  switch (caller.kind) {
    case "key":
      return `(SELECT '${permission}' = ANY (permissions) FROM api_key
        WHERE project_id = ${project} AND id = ${parameters.text(caller.id)})`;
    case "token":
      return `(SELECT 'mcp:read' = ANY (scopes) FROM access_token
        WHERE project_id = ${project} AND hash = ${parameters.add(caller.hash)}::bytea)`;
    case "person":
      return "true";
  }
}
