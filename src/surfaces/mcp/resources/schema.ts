import { OPERATORS } from "../../../contract/lists/operators.ts";
import { listFields } from "../../../domain/fields/list-fields.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { listStatuses } from "../../../domain/statuses/list-statuses.ts";
import type { Resource } from "../protocol/registry.ts";
import { asJson, fitting, JSON_TYPE } from "./json.ts";

const EXAMPLE = {
  any: [{ all: [{ field: "status", op: "eq", value: "new" }] }],
};

export const schemaResource: Resource = {
  uri: "leads://schema",
  name: "schema",
  title: "Fields, operators and statuses",
  description:
    "Every field of the project's leads with its type, the operators of each type, and the statuses; next is " +
    "the URI of more fields.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  paged: true,
  async read({ service, caller }, offset) {
    const [all, { statuses, meanings }] = await Promise.all([
      perform(service, listFields, caller, {}),
      perform(service, listStatuses, caller, {}),
    ]);
    // Operators are listed once per type: 60 fields with 12 names each would be half of the answer.
    const fields = all.slice(offset).map(({ operators: _, ...field }) => field);
    const { shown, left, cut } = fitting(fields, { statuses, status_meanings: meanings });
    return asJson({
      statuses,
      status_meanings: meanings,
      operators_by_type: OPERATORS,
      filter_example: EXAMPLE,
      fields: shown,
      truncated: left > 0 || cut,
      ...(left > 0 ? { next: `leads://schema?offset=${offset + shown.length}` } : {}),
      ...(cut ? { hint: "The options of a field with very many were omitted." } : {}),
      untrusted_content: ["fields", "statuses", "status_meanings"],
    });
  },
};
