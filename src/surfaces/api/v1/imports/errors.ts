import * as endpoints from "../../../../contract/imports/imports.ts";
import { countFailures, listFailures } from "../../../../domain/imports/failures.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { importFileRoute, importListRoute } from "../../shared/import-routes.ts";
import { pathOf, queryOf } from "../../shared/input.ts";

/** `GET /api/v1/imports/{id}/errors/kinds`: how many rows failed, by column and code. */
export const countErrorsRoute = operationRoute({
  endpoint: endpoints.countErrors,
  caller: apiKey,
  input: (request, caller) => ({
    ...queryOf(request, caller, endpoints.countErrors),
    id: pathOf(request, "id"),
  }),
  operation: countFailures,
  reply: (json) => ok(`{"kinds":${json}}`),
});

/** `GET /api/v1/imports/{id}/errors`: the rows that failed. */
export const listErrorsRoute = importListRoute(endpoints.listErrors, listFailures);

/** `GET /api/v1/imports/{id}/errors.csv`: the rows that failed, with the reasons. */
export const errorsFileRoute = importFileRoute(endpoints.failedFile, "failed");
