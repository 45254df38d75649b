import { countFailures, FailurePage, listFailures } from "../../../../domain/imports/failures.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { IdInPath, refusals } from "../../shared/described.ts";
import { FailureKinds, FailureList } from "../../shared/import-described.ts";
import { importFileRoute, importListRoute } from "../../shared/import-routes.ts";
import { pathOf, queryOf } from "../../shared/input.ts";

/** `GET /api/v1/imports/{id}/errors/kinds`: how many rows failed, by column and code. */
export const countErrorsRoute = operationRoute({
  method: "GET",
  url: "/api/v1/imports/:id/errors/kinds",
  describe: {
    tags: ["imports"],
    bearer: true,
    summary: "Count the errors by column and code",
    description: "The 200 most frequent, the most frequent first.",
    params: IdInPath,
    answers: { 200: FailureKinds, ...refusals(404) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: countFailures,
  reply: (json) => ok(`{"kinds":${json}}`),
});

/** `GET /api/v1/imports/{id}/errors`: the rows that failed. */
export const listErrorsRoute = importListRoute({
  url: "/api/v1/imports/:id/errors",
  summary: "List the rows that failed",
  operation: listFailures,
  query: FailurePage,
  filters: { column: "text", code: "text" },
  body: FailureList,
});

/** `GET /api/v1/imports/{id}/errors.csv`: the rows that failed, with the reasons. */
export const errorsFileRoute = importFileRoute({
  url: "/api/v1/imports/:id/errors.csv",
  summary: "Download the rows that failed, with the reasons",
  which: "failed",
});
