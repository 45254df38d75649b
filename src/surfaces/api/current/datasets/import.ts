import * as endpoints from "../../../../contract/datasets/current.ts";
import { importRows } from "../../../../domain/imports/upload-import.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { sentFile } from "../../../../http/request/sent-file.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { pathOf, queryOf } from "../../shared/input.ts";
import { bothSpellings } from "../../shared/with-slash.ts";

/** `POST /api/datasets/{id}/import/`: reads a file and writes its rows. */
export const uploadRowsRoutes = bothSpellings(endpoints.importRows, (endpoint) =>
  operationRoute({
    endpoint,
    stream: true,
    caller: apiKey,
    input: (request, caller) => {
      const options = queryOf(request, caller, endpoint);
      return { dataset: pathOf(request, "id"), open: () => sentFile(request, options) };
    },
    operation: importRows,
    reply: ({ id, json }) => ({ status: 202, body: json, headers: { Location: `/api/v1/imports/${id}` } }),
  }),
);
