// Written by npm run fix: what the files of this folder export.
import type { Route } from "../../../http/route/route.ts";
import { datasetRoutes } from "./datasets.ts";
import { uploadRowsRoutes } from "./datasets/import.ts";
import { getImportRoutes } from "./datasets/imports.ts";
import { getLeadRoutes } from "./leads.ts";
import { exportLeadsRoutes } from "./leads/export.ts";
import { queryLeadsRoutes } from "./leads/query.ts";
import { timelineRoutes } from "./leads/timeline.ts";

/** The routes that the files of this folder declare. */
export const ROUTES: readonly Route[] = [
  ...datasetRoutes,
  ...uploadRowsRoutes,
  ...getImportRoutes,
  ...getLeadRoutes,
  ...exportLeadsRoutes,
  ...queryLeadsRoutes,
  ...timelineRoutes,
];
