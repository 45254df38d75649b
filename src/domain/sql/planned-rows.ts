import type { Queryable } from "../../db/pool/database.ts";

/** A node of EXPLAIN's JSON, as far as it is read here. */
interface PlanNode {
  "Node Type": string;
  "Parent Relationship"?: string;
  "Plan Rows": number;
  "Actual Rows"?: number;
  Plans?: PlanNode[];
}

/** Statements that end in this LIMIT, joined by UNION ALL, and whether to run them or to plan them only. */
interface Bounded {
  text: string;
  values: readonly unknown[];
  limit: number;
  how: "counted" | "planned";
}

/**
 * The rows of each statement: counted where the limit was not reached, else as the planner expects them without
 * it. EXPLAIN tells both in one round trip.
 */
export async function plannedRows(
  db: Pick<Queryable, "query">,
  { text, values, limit, how }: Bounded,
): Promise<number[]> {
  const options = how === "counted" ? "ANALYZE, TIMING OFF, BUFFERS OFF, FORMAT JSON" : "FORMAT JSON";
  const [row] = await db.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `EXPLAIN (${options}) ${text}`,
    values,
  );
  return limitsOf(row?.["QUERY PLAN"][0].Plan).map((node) => {
    const counted = node["Actual Rows"];
    if (counted !== undefined && counted < limit) return counted;
    return Math.max(counted ?? 0, inside(node)[0]?.["Plan Rows"] ?? 0);
  });
}

/** The LIMIT of each statement, in their order. */
const limitsOf = (node: PlanNode | undefined): PlanNode[] =>
  node === undefined ? [] : node["Node Type"] === "Limit" ? [node] : inside(node).flatMap(limitsOf);

/** What a node reads, without the subqueries that it asks before. */
const inside = ({ Plans = [] }: PlanNode): PlanNode[] =>
  Plans.filter((plan) => plan["Parent Relationship"] !== "InitPlan");
