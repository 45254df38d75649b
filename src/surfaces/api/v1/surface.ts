import type { Surface } from "../../../http/route/serve.ts";
import { changeRoutes } from "./changes.ts";
import { searchRowsRoute } from "./datasets/query.ts";
import { writeRowsRoute } from "./datasets/rows/batch.ts";
import { oneRowRoutes, rowListRoutes } from "./datasets/rows.ts";
import { datasetRoutes } from "./datasets.ts";
import { envelope } from "./dialect.ts";
import { eventRoutes } from "./events.ts";
import { exportRoutes } from "./exports.ts";
import { fieldRoutes } from "./fields.ts";
import { countErrorsRoute, errorsFileRoute, listErrorsRoute } from "./imports/errors.ts";
import { importFieldsRoute } from "./imports/fields.ts";
import { listKeptRoute } from "./imports/kept.ts";
import { successfulFileRoute } from "./imports/successful.ts";
import { unprocessedFileRoute } from "./imports/unprocessed.ts";
import { importRoutes } from "./imports.ts";
import { jobRoutes } from "./jobs.ts";
import { aggregateLeadsRoute } from "./leads/aggregate.ts";
import { leadsBulkRoutes } from "./leads/bulk.ts";
import { countLeadsRoute } from "./leads/count.ts";
import { duplicateRoutes } from "./leads/duplicates.ts";
import { leadEventRoutes } from "./leads/events.ts";
import { leadFieldsRoute } from "./leads/fields.ts";
import { validateFilterRoute } from "./leads/filters.ts";
import { mergeLeadsRoute } from "./leads/merge.ts";
import { responseTimesRoute } from "./leads/response-times.ts";
import { searchLeadsRoute } from "./leads/search.ts";
import { leadRoutes } from "./leads.ts";
import { memberRoutes } from "./members.ts";
import { undoMergeRoute } from "./merges.ts";
import { peopleRoutes } from "./people.ts";
import { quietFieldRoutes } from "./quiet-fields.ts";
import { statusRoutes } from "./statuses.ts";
import { syncRoute } from "./sync.ts";
import { usageRoutes } from "./usage.ts";
import { viewRoutes } from "./views.ts";

/**
 * The versioned endpoints under /api/v1: cursors, and one error envelope. The order is that of /openapi.json.
 */
export const v1: Surface = {
  routes: [
    leadFieldsRoute,
    validateFilterRoute,
    searchLeadsRoute,
    countLeadsRoute,
    aggregateLeadsRoute,
    responseTimesRoute,
    ...exportRoutes,
    ...importRoutes,
    countErrorsRoute,
    importFieldsRoute,
    listErrorsRoute,
    listKeptRoute,
    errorsFileRoute,
    successfulFileRoute,
    unprocessedFileRoute,
    ...leadRoutes,
    ...leadsBulkRoutes,
    ...jobRoutes,
    ...leadEventRoutes,
    ...eventRoutes,
    syncRoute,
    ...duplicateRoutes,
    mergeLeadsRoute,
    undoMergeRoute,
    ...peopleRoutes,
    ...fieldRoutes,
    ...statusRoutes,
    ...quietFieldRoutes,
    ...memberRoutes,
    ...usageRoutes,
    ...changeRoutes,
    ...viewRoutes,
    ...datasetRoutes,
    ...rowListRoutes,
    searchRowsRoute,
    writeRowsRoute,
    ...oneRowRoutes,
  ],
  dialect: envelope,
  under: "/api/v1/",
  refusesUnknown: true,
  compresses: true,
  revalidates: true,
  anonymous: "api",
};
