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

/** Statements that each end in this LIMIT, and whether to run them or only plan them. */
interface Bounded {
  texts: readonly string[];
  values: readonly unknown[];
  limit: number;
  how: "counted" | "planned";
}

/**
 * Returns the number of rows of each statement: counted if below the limit, else the planner's estimate without it. A cluster cannot
 * run EXPLAIN ANALYZE behind a door that reads a table of all nodes, so there a statement of its own counts.
 */
export async function plannedRows(
  db: Pick<Queryable, "query">,
  { isDistributed }: { isDistributed: boolean },
  { texts, values, limit, how }: Bounded,
): Promise<number[]> {
  const counts = how === "counted" && isDistributed ? await counted(db, texts, values) : [];
  if (counts.length > 0 && counts.every((rows) => rows < limit)) return counts;
  const options =
    how === "counted" && !isDistributed ? "ANALYZE, TIMING OFF, BUFFERS OFF, FORMAT JSON" : "FORMAT JSON";
  const [row] = await db.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `EXPLAIN (${options}) ${texts.map((text) => `(${text})`).join(" UNION ALL ")}`,
    values,
  );
  return limitsOf(row?.["QUERY PLAN"][0].Plan).map((node, i) => {
    const rows = counts[i] ?? node["Actual Rows"];
    if (rows !== undefined && rows < limit) return rows;
    return Math.max(rows ?? 0, inside(node)[0]?.["Plan Rows"] ?? 0);
  });
}

async function counted(
  db: Pick<Queryable, "query">,
  texts: readonly string[],
  values: readonly unknown[],
): Promise<number[]> {
  const each = texts.map(
    (text, i) => `SELECT ${i} AS n, count(*)::integer AS rows FROM (${text}) AS counted`,
  );
  const rows = await db.query<{ n: number; rows: number }>(`${each.join(" UNION ALL ")} ORDER BY n`, values);
  return rows.map((row) => row.rows);
}

/** The LIMIT node of each statement, in order. */
const limitsOf = (node: PlanNode | undefined): PlanNode[] =>
  node === undefined ? [] : node["Node Type"] === "Limit" ? [node] : inside(node).flatMap(limitsOf);

/** A node's inputs, without the subqueries that run before it. */
const inside = ({ Plans = [], "Distributed Query": elsewhere }: PlanNode): PlanNode[] => [
  ...Plans.filter((plan) => plan["Parent Relationship"] !== "InitPlan"),
  ...(elsewhere?.Job.Tasks ?? []).flatMap((task) => task["Remote Plan"].map(([{ Plan }]) => Plan)),
];
