import { getImport } from "../../../../contract/datasets/current.ts";
import { getRowImport } from "../../../../domain/imports/get-import.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { pathOf } from "../../shared/input.ts";
import { bothSpellings } from "../../shared/with-slash.ts";

/** `GET /api/datasets/{id}/imports/{import}/`: an import into the dataset. */
export const getImportRoutes = bothSpellings(getImport, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request) => ({ dataset: pathOf(request, "id"), id: pathOf(request, "import") }),
    operation: getRowImport,
    reply: ok,
  }),
);
