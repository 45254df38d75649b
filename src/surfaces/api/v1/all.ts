// Written by npm run fix: what the files of this folder export.
import type { Route } from "../../../http/route/route.ts";
import { changeRoutes } from "./changes.ts";
import { datasetRoutes } from "./datasets.ts";
import { searchRowsRoute } from "./datasets/query.ts";
import { oneRowRoutes, rowListRoutes } from "./datasets/rows.ts";
import { writeRowsRoute } from "./datasets/rows/batch.ts";
import { eventRoutes } from "./events.ts";
import { exportRoutes } from "./exports.ts";
import { fieldRoutes } from "./fields.ts";
import { importRoutes } from "./imports.ts";
import { countErrorsRoute, errorsFileRoute, listErrorsRoute } from "./imports/errors.ts";
import { importFieldsRoute } from "./imports/fields.ts";
import { listKeptRoute } from "./imports/kept.ts";
import { successfulFileRoute } from "./imports/successful.ts";
import { unprocessedFileRoute } from "./imports/unprocessed.ts";
import { jobRoutes } from "./jobs.ts";
import { leadRoutes } from "./leads.ts";
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
import { memberRoutes } from "./members.ts";
import { undoMergeRoute } from "./merges.ts";
import { peopleRoutes } from "./people.ts";
import { quietFieldRoutes } from "./quiet-fields.ts";
import { selfRoute } from "./self.ts";
import { statusRoutes } from "./statuses.ts";
import { suppressionRoutes } from "./suppressions.ts";
import { syncRoute } from "./sync.ts";
import { usageRoutes } from "./usage.ts";
import { viewRoutes } from "./views.ts";

/** The routes that the files of this folder declare. */
export const ROUTES: readonly Route[] = [
  ...changeRoutes,
  ...datasetRoutes,
  searchRowsRoute,
  ...oneRowRoutes,
  ...rowListRoutes,
  writeRowsRoute,
  ...eventRoutes,
  ...exportRoutes,
  ...fieldRoutes,
  ...importRoutes,
  countErrorsRoute,
  errorsFileRoute,
  listErrorsRoute,
  importFieldsRoute,
  listKeptRoute,
  successfulFileRoute,
  unprocessedFileRoute,
  ...jobRoutes,
  ...leadRoutes,
  aggregateLeadsRoute,
  ...leadsBulkRoutes,
  countLeadsRoute,
  ...duplicateRoutes,
  ...leadEventRoutes,
  leadFieldsRoute,
  validateFilterRoute,
  mergeLeadsRoute,
  responseTimesRoute,
  searchLeadsRoute,
  ...memberRoutes,
  undoMergeRoute,
  ...peopleRoutes,
  ...quietFieldRoutes,
  selfRoute,
  ...statusRoutes,
  ...suppressionRoutes,
  syncRoute,
  ...usageRoutes,
  ...viewRoutes,
];
