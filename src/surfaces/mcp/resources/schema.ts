import { listFields } from "../../../domain/leads/list-fields.ts";
import { OPERATORS } from "../../../domain/leads/operator.ts";
import { perform } from "../../../domain/operation.ts";
import { listStatuses } from "../../../domain/statuses/list-statuses.ts";
import type { Resource } from "../registry.ts";
import { asJson, fitting, JSON_TYPE } from "./json.ts";

const EXAMPLE = {
  any: [{ all: [{ field: "status", op: "eq", value: "new" }] }],
};

export const schemaResource: Resource = {
  uri: "leads://schema",
  name: "schema",
  title: "Fields, operators and statuses",
  description:
    "Every field of the project's leads with its type, the operators of each type, and the statuses.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  async read({ service, caller }) {
    const [all, statuses] = await Promise.all([
      perform(service, listFields, caller, {}),
      perform(service, listStatuses, caller, {}),
    ]);
    // the operators stand once, by type: 60 fields with 12 names each would be half of the answer
    const fields = all.map(({ operators: _, ...field }) => field);
    const { shown, left, cut } = fitting(fields, { statuses });
    const rest = fields.slice(shown.length).map(({ name, type }) => `${name}: ${type}`);
    return asJson({
      statuses,
      operators_by_type: OPERATORS,
      filter_example: EXAMPLE,
      fields: shown,
      truncated: left > 0 || cut,
      ...(left > 0 ? { further_fields: rest.slice(0, 500) } : {}),
      untrusted_content: ["fields", "statuses"],
    });
  },
};
