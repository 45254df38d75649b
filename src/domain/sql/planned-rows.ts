import type { Queryable } from "../../db/pool/database.ts";

/** The part of a node of EXPLAIN's JSON that is read here. */
interface PlanNode {
  "Node Type": string;
  "Parent Relationship"?: string;
  "Plan Rows": number;
  "Actual Rows"?: number;
  Plans?: PlanNode[];
  /** On a cluster, the plan is that of the node where the statement runs. */
  "Distributed Query"?: { Job: { Tasks: { "Remote Plan": [{ Plan: PlanNode }][] }[] } };
}

/** Statements that each end in this LIMIT, joined by UNION ALL, and whether to run them or only plan them. */
interface Bounded {
  text: string;
  values: readonly unknown[];
  limit: number;
  how: "counted" | "planned";
}

/**
 * Returns the number of rows of each statement: counted if below the limit, else the planner's estimate without it.
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

/** The LIMIT node of each statement, in order. */
const limitsOf = (node: PlanNode | undefined): PlanNode[] =>
  node === undefined ? [] : node["Node Type"] === "Limit" ? [node] : inside(node).flatMap(limitsOf);

/** A node's inputs, without the subqueries that run before it. */
const inside = ({ Plans = [], "Distributed Query": elsewhere }: PlanNode): PlanNode[] => [
  ...Plans.filter((plan) => plan["Parent Relationship"] !== "InitPlan"),
  ...(elsewhere?.Job.Tasks ?? []).flatMap((task) => task["Remote Plan"].map(([{ Plan }]) => Plan)),
];
