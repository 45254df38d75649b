import type { Surface } from "../../http/serve.ts";
import { datasetImportRoutes } from "./dataset-imports.ts";
import { datasetRoutes } from "./datasets.ts";
import { detailAndCode } from "./dialect.ts";
import { exportLeadsRoutes } from "./export-leads.ts";
import { getLeadRoutes } from "./get-lead.ts";
import { queryLeadsRoutes } from "./query-leads.ts";
import { timelineRoutes } from "./timeline.ts";

/** The leads API under API keys: the endpoints without a version, whose shape never changes. */
export const api: Surface = {
  routes: [
    ...queryLeadsRoutes,
    ...exportLeadsRoutes,
    ...getLeadRoutes,
    ...timelineRoutes,
    ...datasetRoutes,
    ...datasetImportRoutes,
  ],
  dialect: detailAndCode,
  strangers: "api",
};
