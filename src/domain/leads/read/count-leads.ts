import type { CountedLeads } from "../../../contract/leads/figures.ts";
import { LeadCount } from "../../../contract/leads/query.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { askWithSchema } from "../../filter/with-schema.ts";
import { memberOperation } from "../../operation/operation.ts";
import { BOUND } from "../../operation/page.ts";

/** Counts a project's leads, by default up to 10,000. */
export const countLeads = memberOperation({
  name: "leads.count",
  needs: "leads:read",
  input: LeadCount,
  async run(context, input): Promise<CountedLeads> {
    const { caller } = context;
    const exact = input.exact === true;
    const [row] = await askWithSchema(
      context,
      input,
      (schema) => {
        const wanted = exact ? undefined : BOUND + 1;
        const { scope, where } = leadConditions(caller.projectId, input, schema, wanted);
        const bound = exact ? "" : ` LIMIT ${BOUND + 1}`;
        const text = `SELECT count(*) AS count FROM (SELECT FROM lead WHERE ${where}${bound}) AS matches`;
        return { text, values: scope.parameters.values };
      },
      ({ text, values }, send) => send<{ count: number }>(text, values, { measured: true, parallel: exact }),
    );
    const count = row?.count ?? 0;
    return exact || count <= BOUND ? { count, relation: "eq" } : { count: BOUND, relation: "gte" };
  },
});
