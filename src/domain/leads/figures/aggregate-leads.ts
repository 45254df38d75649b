import { LeadAggregation } from "../../../contract/leads/aggregation.ts";
import { malformed, Refusal } from "../../../core/refusal.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { readFilter } from "../../filter/read/read-filter.ts";
import { filterSql } from "../../filter/sql/filter-sql.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import { customOf, withSchema } from "../../filter/with-schema.ts";
import { memberOperation } from "../../operation/operation.ts";
import { bad, quoted } from "../../values/bad-input.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import { type Figure, figure, groupsSql, type KeyPart, keyPart } from "./aggregate-sql.ts";

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
    const whole = withFilters(input);
    const plan = await withSchema(
      context,
      whole,
      (schema) => planned(caller.projectId, input, whole, schema),
      customOf(named),
    ).catch((error) => {
      throw whole === input ? error : atTheirPaths(error, input);
    });
    const [row] = await db
      .query<{ json: string; total: number }>(plan.text, plan.values, { parallel: true })
      .catch(tooLarge)
      .catch(zoneUnknown);
    return { json: row?.json ?? "[]", totalGroups: row?.total ?? 0 };
  },
});

/** The filters of an aggregation as one, by which they share limits and what is read of the project: its own, then those of metrics. */
function withFilters(input: LeadAggregation): LeadAggregation {
  const { filter = { and: [] }, metrics = [] } = input;
  const own = metrics.flatMap((metric) => metric.filter ?? []);
  return own.length === 0 ? input : { ...input, filter: { and: [filter, ...own] } };
}

/** Returns a refusal of the filters as one with the paths at which the caller wrote them. */
function atTheirPaths(error: unknown, { metrics = [] }: LeadAggregation): unknown {
  if (!(error instanceof Refusal) || error.kind !== "malformed") return error;
  const at = metrics.flatMap(({ filter }, i) => (filter === undefined ? [] : [i]));
  return malformed(
    error.faults.map(({ path, ...fault }) => ({
      path: path.replace(/^\$\.filter\.and\[(\d+)\]/, (_, n: string) =>
        n === "0" ? "$.filter" : `$.metrics[${at[Number(n) - 1]}].filter`,
      ),
      ...fault,
    })),
  );
}

function planned(
  projectId: string,
  input: LeadAggregation,
  whole: LeadAggregation,
  schema: ProjectSchema,
): { text: string; values: readonly unknown[] } {
  const { filter: _, ...unfiltered } = input;
  const conditions = leadConditions(projectId, whole === input ? input : unfiltered, schema);
  const { scope } = conditions;
  const read = whole === input ? undefined : readFilter(whole.filter, schema);
  const [filter, ...own] = read?.kind === "and" ? read.of : [];
  const where =
    filter === undefined ? conditions.where : `${conditions.where} AND ${filterSql(filter, scope)}`;
  const keys = (input.group_by ?? []).map((group, i) => keyPart(group, i, input.interval, schema, scope));
  const figures = (input.metrics ?? [{ op: "count" as const }]).map((metric, i) =>
    figure(
      metric,
      i,
      schema,
      scope,
      "filter" in metric && metric.filter !== undefined ? own.shift() : undefined,
    ),
  );
  checkNames([...keys, ...figures]);
  const object = (parts: readonly { name: string }[], letter: string) =>
    `json_build_object(${parts.map(({ name }, i) => `${scope.parameters.text(name)}, ${letter}${i}`).join(", ")})`;
  const amounts = figures.flatMap(({ name, isMoney }, i) =>
    isMoney === true ? [`${scope.parameters.text(name)}, c${i}`] : [],
  );
  const money = amounts.length === 0 ? "" : `, 'by_currency', json_build_object(${amounts.join(", ")})`;
  const text = `SELECT coalesce(json_agg(json_build_object('key', ${object(keys, "k")}, 'metrics', ${object(figures, "m")}${money})), '[]')::text AS json,
      coalesce(max(total), 0)::integer AS total
    FROM (SELECT *, count(*) OVER () AS total FROM (${groupsSql(keys, figures, where, scope)}
    ) AS grouped ORDER BY ${orderOf(input, keys, figures)} LIMIT ${input.limit ?? 100}) AS groups`;
  return { text, values: scope.parameters.values };
}

/** Orders by a figure: by amounts in the project's currency first, as those in another cannot be compared with them. */
function orderOf(input: LeadAggregation, keys: readonly KeyPart[], figures: readonly Figure[]): string {
  const byFigure = (i: number, dir: string) =>
    [...(figures[i]?.isMoney === true ? [`o${i}`] : []), `m${i}`]
      .map((column) => `${column} ${dir} NULLS LAST`)
      .join(", ");
  const asked = (input.sort ?? []).map(({ field, dir = "asc" }, i) => {
    const [key, metric] = [keys, figures].map((list) => list.findIndex(({ name }) => name === field));
    if (key === -1 && metric === -1) {
      bad(
        `$.sort[${i}].field`,
        "unknown_field",
        `${quoted(field)} must be one of ${[...keys, ...figures].map(({ name }) => name).join(", ")}`,
      );
    }
    return key === -1 ? byFigure(metric ?? 0, dir) : `k${key} ${dir} NULLS LAST`;
  });
  const usual = keys.some(({ isBucket }) => isBucket) ? [] : [byFigure(0, "desc")];
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
