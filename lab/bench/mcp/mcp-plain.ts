import { createHash } from "node:crypto";
import process from "node:process";
import pg from "pg";
import type { LeadsQuery } from "../../../src/contract/leads/query.ts";
import { NO_PROJECT_SCHEMA } from "../../../src/domain/fields/project-schema.ts";
import { readAccessToken } from "../../../src/domain/grants/token-text.ts";
import { type LeadsPlan, planLeads } from "../../../src/domain/leads/read/plan-leads.ts";
import { type OffsetRow, offsetPage } from "../../../src/domain/operation/page.ts";
import { tokenDoor } from "../../../src/domain/tenancy/token-door.ts";
import { toSelection } from "../../../src/surfaces/mcp/tools/leads/selection.ts";
import { pageAnswer } from "../../../src/surfaces/mcp/tools/shared/page-answer.ts";

type Asked = Parameters<typeof toSelection>[0] & { limit?: number; offset?: number };

/**
 * query_leads as the SDKs' servers do it on plain pg: one prepared statement checks the token, another one is the
 * service's page, with the same parameters. The project is set for the whole pool, which a service of several
 * projects could not do, and what an argument means is worked out once.
 */
export function plainQuery(projectId: string): (token: string, args: unknown) => Promise<object> {
  const pool = new pg.Pool({
    connectionString: process.env.DATABASE_URL,
    max: 16,
    options: `-c search_path=leadgate,public -c timezone=UTC -c jit=off -c leadgate.project=${projectId}`,
  });
  const plans = new Map<string, LeadsPlan>();
  const names = new Map<string, string>();
  const prepared = async <R>(text: string, values: readonly unknown[]): Promise<R[]> => {
    const name = names.get(text) ?? createHash("sha256").update(text).digest("hex").slice(0, 32);
    names.set(text, name);
    return (await pool.query({ name, text, values: [...values] })).rows as R[];
  };
  return async (token, args) => {
    const address = readAccessToken(token);
    if (address === undefined) throw new Error("no token");
    const door = tokenDoor(address, { any: ["leads:read"] });
    const [standing] = await prepared<Record<string, unknown>>(door.statement.text, door.statement.values);
    door.admit(standing);
    const { limit = 25, offset = 0, ...selection } = args as Asked;
    const key = JSON.stringify(args);
    const plan =
      plans.get(key) ??
      planLeads(projectId, { ...toSelection(selection), limit, offset } as LeadsQuery, NO_PROJECT_SCHEMA);
    plans.set(key, plan);
    const [row] = await prepared<OffsetRow>(plan.text, plan.values);
    const page = offsetPage(row, { limit, offset, total: "bounded" });
    return pageAnswer("leads", JSON.parse(page.json) as unknown[], page, offset, { left: "", cut: "" });
  };
}
