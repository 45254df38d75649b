import * as endpoints from "../../../contract/datasets/datasets.ts";
import { createDataset } from "../../../domain/datasets/create-dataset.ts";
import type { ShownDataset } from "../../../domain/datasets/definition/dataset.ts";
import { deleteDataset } from "../../../domain/datasets/delete-dataset.ts";
import { getDataset } from "../../../domain/datasets/get-dataset.ts";
import { listDatasets } from "../../../domain/datasets/list-datasets.ts";
import { updateDataset } from "../../../domain/datasets/update-dataset.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";
import { versionFrom } from "../shared/preconditions.ts";

const datasetReply = (dataset: ShownDataset): Reply => ({
  status: 200,
  body: dataset,
  headers: { ETag: `"${dataset.version}"` },
});

/** Datasets: their columns and their link to leads. */
export const datasetRoutes: readonly Route[] = [
  operationRoute({
    endpoint: endpoints.listDatasets,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, endpoints.listDatasets),
    operation: listDatasets,
    reply: ({ datasets, nextCursor }) => ok({ datasets, next_cursor: nextCursor }),
  }),
  operationRoute({
    endpoint: endpoints.createDataset,
    caller: apiKey,
    input: bodyOf,
    operation: createDataset,
    reply(dataset) {
      const { headers, ...reply } = datasetReply(dataset);
      return { ...reply, status: 201, headers: { ...headers, Location: `/api/v1/datasets/${dataset.id}` } };
    },
  }),
  operationRoute({
    endpoint: endpoints.getDataset,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.getDataset),
      dataset: pathOf(request, "id"),
    }),
    operation: getDataset,
    reply: datasetReply,
  }),
  operationRoute({
    endpoint: endpoints.updateDataset,
    caller: apiKey,
    input(request, caller, endpoint) {
      const { version, ...patch } = bodyOf(request, caller, endpoint, { dataset: pathOf(request, "id") });
      return { ...patch, ...versionFrom(request, version) };
    },
    operation: updateDataset,
    reply: ({ dataset, isDone }) => ({ ...datasetReply(dataset), status: isDone ? 200 : 202 }),
  }),
  operationRoute({
    endpoint: endpoints.deleteDataset,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.deleteDataset),
      dataset: pathOf(request, "id"),
      ...versionFrom(request, undefined),
    }),
    operation: deleteDataset,
    reply: () => ({ status: 204 }),
  }),
];
