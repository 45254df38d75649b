import type { Surface } from "../../http/serve.ts";
import { detailAndCode } from "./dialect.ts";
import { getLeadRoutes } from "./get-lead.ts";
import { queryLeadsRoutes } from "./query-leads.ts";

/** The leads API under API keys: the endpoints without a version, whose shape never changes. */
export const api: Surface = {
  routes: [...queryLeadsRoutes, ...getLeadRoutes],
  dialect: detailAndCode,
};
