import { LeadAggregation } from "../../../contract/leads/aggregation.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { customOf, withSchema } from "../../filter/with-schema.ts";
import { memberOperation } from "../../operation/operation.ts";
import { bad, quoted } from "../../values/bad-input.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import { type Figure, figure, type KeyPart, keyPart } from "./aggregate-sql.ts";

/** Groups with their figures; `json` is the text of the array, made by PostgreSQL. */
export interface LeadGroups {
  json: string;
  /** The number of groups, including those not shown. */
  totalGroups: number;
}

/** Computes figures of a project's leads by group. */
export const aggregateLeads = memberOperation({
  name: "leads.aggregate",
  needs: "leads:read",
  input: LeadAggregation,
  async run(context, input): Promise<LeadGroups> {
    const { db, caller } = context;
    const named = [...(input.group_by ?? []), ...(input.metrics ?? [])].flatMap(({ field }) => field ?? []);
    const plan = await withSchema(
      context,
      input,
      (schema) => planned(caller.projectId, input, schema),
      customOf(named),
    );
    const [row] = await db
      .query<{ json: string; total: number }>(plan.text, plan.values, { parallel: true })
      .catch(tooLarge)
      .catch(zoneUnknown);
    return { json: row?.json ?? "[]", totalGroups: row?.total ?? 0 };
  },
});

function planned(
  projectId: string,
  input: LeadAggregation,
  schema: ProjectSchema,
): { text: string; values: readonly unknown[] } {
  const { scope, where } = leadConditions(projectId, input, schema);
  const keys = (input.group_by ?? []).map((group, i) => keyPart(group, i, input.interval, schema, scope));
  const figures = (input.metrics ?? [{ op: "count" as const }]).map((metric, i) =>
    figure(metric, i, schema, scope),
  );
  checkNames([...keys, ...figures]);
  const columns = [
    ...keys.map(({ sql }, i) => `${sql} AS k${i}`),
    ...figures.map(({ sql }, i) => `${sql} AS m${i}`),
  ];
  const object = (parts: readonly { name: string }[], letter: string) =>
    `json_build_object(${parts.map(({ name }, i) => `${scope.parameters.text(name)}, ${letter}${i}`).join(", ")})`;
  const text = `SELECT coalesce(json_agg(json_build_object('key', ${object(keys, "k")}, 'metrics', ${object(figures, "m")})), '[]')::text AS json,
      coalesce(max(total), 0)::integer AS total
    FROM (SELECT *, count(*) OVER () AS total FROM (
      SELECT ${columns.join(", ")} FROM lead ${keys.map(({ join }) => join).join(" ")}
      WHERE ${where} ${keys.length === 0 ? "" : `GROUP BY ${keys.map(({ by }, i) => by ?? i + 1).join(", ")}`}
    ) AS grouped ORDER BY ${orderOf(input, keys, figures)} LIMIT ${input.limit ?? 100}) AS groups`;
  return { text, values: scope.parameters.values };
}

function orderOf(input: LeadAggregation, keys: readonly KeyPart[], figures: readonly Figure[]): string {
  const asked = (input.sort ?? []).map(({ field, dir = "asc" }, i) => {
    const [key, metric] = [keys, figures].map((list) => list.findIndex(({ name }) => name === field));
    if (key === -1 && metric === -1) {
      bad(
        `$.sort[${i}].field`,
        "unknown_field",
        `${quoted(field)} must be one of ${[...keys, ...figures].map(({ name }) => name).join(", ")}`,
      );
    }
    return `${key === -1 ? `m${metric}` : `k${key}`} ${dir} NULLS LAST`;
  });
  const usual = keys.some(({ isBucket }) => isBucket) ? [] : ["m0 DESC NULLS LAST"];
  return [...(asked.length > 0 ? asked : usual), ...keys.map((_, i) => `k${i} NULLS LAST`), "m0"].join(", ");
}

function checkNames(parts: readonly { name: string }[]): void {
  const names = parts.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) bad("$", "asked_twice", `must not ask for ${quoted(twice)} twice`);
}

/** Refuses a sum beyond the range of numbers (22003). */
function tooLarge(error: { code?: string }): never {
  if (error.code !== "22003") throw error;
  throw new Refusal(
    "unprocessable",
    "out_of_range",
    "A result is too large for a number. Narrow the filter.",
  );
}
