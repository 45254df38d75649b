import * as endpoints from "../../../contract/datasets/current.ts";
import { getDataset } from "../../../domain/datasets/get-dataset.ts";
import { listDatasets } from "../../../domain/datasets/list-datasets.ts";
import { changeRows } from "../../../domain/datasets/rows/change-rows.ts";
import { deleteRows } from "../../../domain/datasets/rows/delete-rows.ts";
import { queryRows } from "../../../domain/datasets/rows/query-rows.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";
import { LARGE_BODY } from "../shared/large-body.ts";
import { offsetPageJson } from "../shared/page-json.ts";
import { bothSpellings } from "../shared/with-slash.ts";

const list = bothSpellings(endpoints.listDatasets, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, endpoint),
    operation: listDatasets,
    reply: ({ datasets, limit, offset, hasMore, total }) => {
      const count = datasets.length;
      const next = hasMore ? offset + count : null;
      const pageInfo = {
        limit,
        offset,
        count,
        has_more: hasMore,
        next_offset: next,
        total,
        total_relation: "eq",
      };
      return ok({ datasets, page_info: pageInfo });
    },
  }),
);

const get = bothSpellings(endpoints.getDataset, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request) => ({ dataset: pathOf(request, "id") }),
    operation: getDataset,
  }),
);

const rows = bothSpellings(endpoints.queryRows, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller, endpoint) =>
      bodyOf(request, caller, endpoint, { dataset: pathOf(request, "id") }),
    operation: queryRows,
    reply: (page) => ok(offsetPageJson("rows", page)),
  }),
);

const write = bothSpellings(endpoints.writeRows, (endpoint) =>
  operationRoute({
    endpoint,
    bodyLimit: LARGE_BODY,
    caller: apiKey,
    input: (request, caller, endpoint) =>
      bodyOf(request, caller, endpoint, { dataset: pathOf(request, "id") }),
    operation: changeRows,
  }),
);

const remove = bothSpellings(endpoints.deleteRows, (endpoint) =>
  operationRoute({
    endpoint,
    caller: apiKey,
    input: (request, caller, endpoint) =>
      bodyOf(request, caller, endpoint, { dataset: pathOf(request, "id") }),
    operation: deleteRows,
  }),
);

/** Datasets under the endpoints without a version. */
export const datasetRoutes: readonly Route[] = [...list, ...get, ...rows, ...write, ...remove];
