import type { Surface } from "../../../http/route/serve.ts";
import { datasetRowRoutes } from "./datasets/rows.ts";
import { datasetRoutes } from "./datasets.ts";
import { envelope } from "./dialect.ts";
import { eventRoutes } from "./events.ts";
import { exportRoutes } from "./exports.ts";
import { fieldRoutes } from "./fields.ts";
import { importRoutes } from "./imports.ts";
import { jobRoutes } from "./jobs.ts";
import { leadsBulkRoutes } from "./leads/bulk.ts";
import { duplicateRoutes } from "./leads/duplicates.ts";
import { filterRoutes } from "./leads/filters.ts";
import { searchRoutes } from "./leads/search.ts";
import { leadRoutes } from "./leads.ts";
import { memberRoutes } from "./members.ts";
import { mergeRoutes } from "./merges.ts";
import { statusRoutes } from "./statuses.ts";
import { usageRoutes } from "./usage.ts";
import { viewRoutes } from "./views.ts";

/** The versioned endpoints under /api/v1: cursors, and one error envelope. */
export const v1: Surface = {
  routes: [
    ...filterRoutes,
    ...searchRoutes,
    ...exportRoutes,
    ...importRoutes,
    ...leadRoutes,
    ...leadsBulkRoutes,
    ...jobRoutes,
    ...eventRoutes,
    ...duplicateRoutes,
    ...mergeRoutes,
    ...fieldRoutes,
    ...statusRoutes,
    ...memberRoutes,
    ...usageRoutes,
    ...viewRoutes,
    ...datasetRoutes,
    ...datasetRowRoutes,
  ],
  dialect: envelope,
  under: "/api/v1/",
  anonymous: "api",
};
