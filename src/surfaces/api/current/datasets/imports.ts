import { Type } from "typebox";
import { getRowImport } from "../../../../domain/imports/get-import.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { DatasetInPath } from "../../shared/dataset-described.ts";
import { PROBLEMS, Problem } from "../../shared/described.ts";
import { ImportBody } from "../../shared/import-described.ts";
import { pathOf } from "../../shared/input.ts";
import { withSlash } from "../../shared/with-slash.ts";

/** `GET /api/datasets/{id}/imports/{import}/`: an import into the dataset. */
export const getImportRoutes = withSlash("/api/datasets/:id/imports/:import", (url) =>
  operationRoute({
    method: "GET",
    url,
    describe: {
      tags: ["datasets"],
      bearer: true,
      params: Type.Object({ ...DatasetInPath.properties, import: Type.String() }),
      summary: "Read an import into a dataset",
      answers: { 200: ImportBody, 404: Problem, ...PROBLEMS },
    },
    caller: apiKey,
    input: (request) => ({ dataset: pathOf(request, "id"), id: pathOf(request, "import") }),
    operation: getRowImport,
    reply: ok,
  }),
);
