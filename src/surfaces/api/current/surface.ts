import type { Surface } from "../../../http/route/serve.ts";
import { uploadRowsRoutes } from "./datasets/import.ts";
import { getImportRoutes } from "./datasets/imports.ts";
import { datasetRoutes } from "./datasets.ts";
import { detailAndCode } from "./dialect.ts";
import { exportLeadsRoutes } from "./leads/export.ts";
import { queryLeadsRoutes } from "./leads/query.ts";
import { timelineRoutes } from "./leads/timeline.ts";
import { getLeadRoutes } from "./leads.ts";

/** The leads API for API keys: the endpoints without a version, whose shape never changes. */
export const api: Surface = {
  routes: [
    ...queryLeadsRoutes,
    ...exportLeadsRoutes,
    ...getLeadRoutes,
    ...timelineRoutes,
    ...datasetRoutes,
    ...uploadRowsRoutes,
    ...getImportRoutes,
  ],
  dialect: detailAndCode,
  compresses: true,
  revalidates: true,
  anonymous: "api",
};
