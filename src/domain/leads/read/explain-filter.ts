import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { near } from "../../../core/nearest.ts";
import { notFound } from "../../../core/refusal.ts";
import type { Field } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { readFilter } from "../../filter/read/read-filter.ts";
import { searchWords } from "../../filter/read/search-words.ts";
import { sentenceOf } from "../../filter/sentence/sentence.ts";
import { filterSql } from "../../filter/sql/filter-sql.ts";
import { leadConditions } from "../../filter/sql/lead-conditions.ts";
import type { StatementScope } from "../../filter/sql/statement-scope.ts";
import type { Filter } from "../../filter/tree/filter.ts";
import { withSchema } from "../../filter/with-schema.ts";
import { type MemberContext, memberOperation, refuse } from "../../operation/operation.ts";
import { BOUND } from "../../operation/page.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import { missingLead } from "./lead-id.ts";

const Explanation = Type.Object(
  {
    filter: Type.Optional(Type.Unknown()),
    search: Type.Optional(Type.String({ maxLength: 200 })),
    timezone: Type.Optional(Type.String({ maxLength: 64 })),
    lead: Type.Optional(Type.String({ maxLength: 100, description: "Why this lead matches, or not." })),
  },
  { additionalProperties: false },
);

/** One condition of a filter, by itself. */
export interface ExplainedCondition {
  /** The alternative that it belongs to, from 0: all conditions of one alternative have to be met. */
  alternative: number;
  /** The condition in words. */
  condition: string;
  /** With a lead: whether the lead meets it. */
  met?: boolean;
  /** With a lead: its value of the field, as text; null if it has none. */
  value?: string | null;
  /** Without a lead: how many leads meet it, counted up to 10,000. */
  leads?: number;
  /** Without a lead: how many meet the other conditions of the alternative, counted up to 10,000. */
  without?: number;
  /** For a text that no lead has: the nearest values, each with its number of leads. */
  nearest?: { value: string; leads: number }[];
}

/** The time limit of the counts and of looking for values; a filter that takes longer is not explained. */
const PATIENCE_MS = 3_000;
/** How many conditions are explained. */
const MOST = 20;
/** How many of the newest leads are searched for values, and how many values are compared. */
const LOOKED_AT = 20_000;
const VALUES = 1_000;

/**
 * Returns a filter condition by condition: which of them a lead meets, or how many leads meet each of them. Empty if
 * the counts take more than three seconds.
 */
export const explainFilter = memberOperation({
  name: "leads.filters.explain",
  needs: "leads:read",
  input: Explanation,
  async run(context, { lead, ...selection }): Promise<ExplainedCondition[]> {
    if (lead !== undefined && !isId("lead", lead)) return await refuse(context.db, notFound("lead"));
    const { schema, parts } = await withSchema(context, selection, (found) => ({
      schema: found,
      parts: partsOf(selection, found),
    }));
    if (lead !== undefined) return await ofLead(context, { ...selection, lead }, schema, parts);
    try {
      return await ofAll(context, selection, schema, parts);
    } catch (error) {
      if ((error as { code?: string }).code === "57014") return [];
      return zoneUnknown(error as { code?: string });
    }
  },
});

type Selection = { filter?: unknown; search?: string; timezone?: string };

interface Part {
  alternative: number;
  filter: Filter;
}

/** The conditions of a filter and of its words; a condition inside another alternative stays a part of it. */
function partsOf({ filter, search }: Selection, schema: ProjectSchema): Part[] {
  const whole = filter === undefined ? [] : together(readFilter(filter, schema));
  const asked = searchWords(search ?? "");
  const words: Filter[] = asked.length === 0 ? [] : [{ kind: "words", words: asked }];
  const [choice] = whole.filter(({ kind }) => kind === "or");
  const rest = whole.filter((part) => part !== choice);
  const alternatives = choice?.kind === "or" ? choice.of.map(together) : [[]];
  return alternatives
    .flatMap((of, alternative) => [...of, ...rest, ...words].map((filter): Part => ({ alternative, filter })))
    .slice(0, MOST);
}

/** The parts that all have to be met. */
function together(filter: Filter): Filter[] {
  if (filter.kind === "and") return filter.of.flatMap(together);
  if (filter.kind === "or" && filter.of.length === 1) return filter.of.flatMap(together);
  return filter.kind === "view" ? together(filter.of) : [filter];
}

const told = ({ alternative, filter }: Part, schema: ProjectSchema) => ({
  alternative,
  condition: sentenceOf(filter, schema, "en"),
});

async function ofLead(
  { db, caller }: MemberContext,
  { lead, timezone }: Selection & { lead: string },
  schema: ProjectSchema,
  parts: readonly Part[],
): Promise<ExplainedCondition[]> {
  const { scope, where } = leadConditions(caller.projectId, zoned(timezone), schema, 1);
  const met = parts.map(({ filter }) => `(${filterSql(filter, scope)}) IS TRUE`);
  const values = parts.map(({ filter }) => {
    const field = fieldOf(filter);
    return field === undefined ? "NULL" : `(${scope.text(field)})::text`;
  });
  const text = `SELECT ARRAY[${["true", ...met].join(", ")}]::boolean[] AS met,
    ARRAY[${["NULL", ...values].join(", ")}]::text[] AS held
    FROM lead WHERE ${where} AND id = ${scope.parameters.text(lead)}`;
  const [row] = await db
    .query<{ met: boolean[]; held: (string | null)[] }>(text, scope.parameters.values)
    .catch(zoneUnknown);
  if (row === undefined) throw await missingLead(db, caller.projectId, lead);
  return parts.map((part, i) => ({
    ...told(part, schema),
    met: row.met[i + 1] === true,
    ...(fieldOf(part.filter) === undefined ? {} : { value: row.held[i + 1] ?? null }),
  }));
}

async function ofAll(
  { db, caller }: MemberContext,
  { timezone }: Selection,
  schema: ProjectSchema,
  parts: readonly Part[],
): Promise<ExplainedCondition[]> {
  if (parts.length === 0) return [];
  const { scope, where } = leadConditions(caller.projectId, zoned(timezone), schema, BOUND);
  const counted = (filters: readonly Filter[]) =>
    `(SELECT count(*) FROM (SELECT FROM lead WHERE ${[where, ...filters.map((each) => filterSql(each, scope))].join(" AND ")}
      LIMIT ${BOUND}) AS matches)`;
  const alone = parts.map(({ filter }) => counted([filter]));
  const others = parts.map((part) =>
    counted(parts.flatMap((each) => (isBeside(each, part) ? [each.filter] : []))),
  );
  return await db.transaction(async (tx) => {
    await tx.allow(PATIENCE_MS);
    const text = `SELECT ARRAY[${alone.join(", ")}]::integer[] AS alone, ARRAY[${others.join(", ")}]::integer[] AS others`;
    const [row] = await tx.query<{ alone: number[]; others: number[] }>(text, scope.parameters.values);
    const explained: ExplainedCondition[] = [];
    for (const [i, part] of parts.entries()) {
      const leads = row?.alone[i] ?? 0;
      const nearest = leads > 0 ? [] : await nearestValues(tx, caller.projectId, part.filter, schema);
      explained.push({
        ...told(part, schema),
        leads,
        ...(parts.some((each) => isBeside(each, part)) ? { without: row?.others[i] ?? 0 } : {}),
        ...(nearest.length > 0 ? { nearest } : {}),
      });
    }
    return explained;
  }, "slow");
}

const isBeside = (each: Part, part: Part): boolean => each !== part && each.alternative === part.alternative;

const zoned = (timezone: string | undefined) => (timezone === undefined ? {} : { timezone });

/** The field that a condition compares. */
const fieldOf = (filter: Filter): Field | undefined =>
  filter.kind === "condition" && filter.field.type !== "object" ? filter.field : undefined;

/** The values of a text field, or tags, that are nearest to those of a condition that no lead meets. */
async function nearestValues(
  tx: { query<Row>(text: string, values: readonly unknown[]): Promise<Row[]> },
  projectId: string,
  filter: Filter,
  schema: ProjectSchema,
): Promise<{ value: string; leads: number }[]> {
  if (filter.kind !== "condition" || filter.negated || !("values" in filter.test)) return [];
  const { field, test } = filter;
  const wanted = test.values.filter((value): value is string => typeof value === "string");
  if (wanted.length === 0 || !["text", "email", "enum", "tags"].includes(field.type)) return [];
  const { scope, where } = leadConditions(projectId, {}, schema, 1);
  const rows = await tx.query<{ value: string; leads: number }>(
    valuesSql(field, scope, where),
    scope.parameters.values,
  );
  const leadsOf = new Map(rows.map(({ value, leads }) => [value, leads]));
  const found = wanted.flatMap((value) => near(value, [...leadsOf.keys()]).slice(0, 3));
  return [...new Set(found)].map((value) => ({ value, leads: leadsOf.get(value) ?? 0 }));
}

/** The most frequent values of a field among the newest leads. */
function valuesSql(field: Field, scope: StatementScope, where: string): string {
  const newest = `SELECT ${field.type === "tags" ? field.column : scope.text(field)} AS held FROM lead
    WHERE ${where} ORDER BY created_at DESC, id LIMIT ${LOOKED_AT}`;
  const [value, join] =
    field.type === "tags" ? ["tag", "CROSS JOIN LATERAL unnest(held) AS each (tag)"] : ["held", ""];
  return `SELECT ${value} AS value, count(*)::integer AS leads FROM (${newest}) AS newest ${join}
    WHERE ${value} <> '' AND length(${value}) <= 200 GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${VALUES}`;
}
