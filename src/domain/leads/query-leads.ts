import { Refusal } from "../../core/refusal.ts";
import { type MemberContext, memberOperation, refuse } from "../operation.ts";
import { outlineOf } from "./filter-outline.ts";
import { LeadsQuery } from "./leads-query.ts";
import { BOUND } from "./page-sql.ts";
import { type LeadsPlan, planLeads } from "./plan-leads.ts";
import { NO_FACTS, projectFacts } from "./project-facts.ts";

/** A page of leads; `json` is the text of the array, made by PostgreSQL and passed through. */
export interface LeadPage {
  json: string;
  limit: number;
  offset: number;
  count: number;
  hasMore: boolean;
  total: number | null;
  totalRelation: "eq" | "gte" | null;
}

interface PageRow {
  json: string | null;
  found: number;
  total: number | null;
}

/** One page of a project's leads, newest first unless `sort` says otherwise. */
export const queryLeads = memberOperation({
  name: "leads.query",
  needs: "leads:read",
  input: LeadsQuery,
  async run(context, query): Promise<LeadPage> {
    const plan = await planned(context, query);
    const { limit = 50, offset = 0 } = query;
    const [row] = await context.db
      .query<PageRow>(plan.text, plan.values, { prepare: plan.prepare })
      .catch(zoneUnknown);
    const found = row?.found ?? 0;
    return {
      json: `[${row?.json ?? ""}]`,
      limit,
      offset,
      count: Math.min(found, limit),
      hasMore: found > limit,
      ...totalOf(row?.total ?? null, query.total),
    };
  },
});

/** One more round trip where the input names custom fields, or phone numbers without their country. */
async function planned({ db, caller }: MemberContext, query: LeadsQuery): Promise<LeadsPlan> {
  try {
    const { needsFacts } = outlineOf(query.filter);
    const custom = needsFacts || query.sort?.some(({ field }) => field.startsWith("custom."));
    const facts = custom === true ? await projectFacts(db, caller.projectId) : NO_FACTS;
    return planLeads(caller.projectId, query, facts);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "malformed") return await refuse(db, error);
    throw error;
  }
}

function totalOf(
  total: number | null,
  asked: LeadsQuery["total"],
): Pick<LeadPage, "total" | "totalRelation"> {
  if (total === null) return { total, totalRelation: null };
  if (asked === "exact" || total <= BOUND) return { total, totalRelation: "eq" };
  return { total: BOUND, totalRelation: "gte" };
}

/** A zone that Node knows and this PostgreSQL does not (22023). */
function zoneUnknown(error: { code?: string }): never {
  if (error.code !== "22023") throw error;
  const fault = { path: "$.timezone", code: "unknown_timezone", message: "is not known to the database" };
  throw new Refusal("malformed", fault.code, `${fault.path}: ${fault.message}`, { faults: [fault] });
}
