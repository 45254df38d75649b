import { Type } from "typebox";
import { createDataset } from "../../../domain/datasets/create-dataset.ts";
import type { ShownDataset } from "../../../domain/datasets/definition/dataset.ts";
import { DatasetPatch, NewDataset } from "../../../domain/datasets/definition/dataset-input.ts";
import { deleteDataset } from "../../../domain/datasets/delete-dataset.ts";
import { getDataset } from "../../../domain/datasets/get-dataset.ts";
import { listDatasets } from "../../../domain/datasets/list-datasets.ts";
import { updateDataset } from "../../../domain/datasets/update-dataset.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { Dataset, DatasetInPath } from "../shared/dataset-described.ts";
import { refusals, stringOrNull } from "../shared/described.ts";
import { bodyOf, pathOf, queryOf, versionFrom } from "../shared/input.ts";

const usual = { tags: ["datasets"], bearer: true as const };
const named = { ...usual, params: DatasetInPath };

const datasetReply = (dataset: ShownDataset): Reply => ({
  status: 200,
  body: dataset,
  headers: { ETag: `"${dataset.version}"` },
});

/** Datasets: their columns and their link to leads. */
export const datasetRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/datasets",
    describe: {
      ...usual,
      summary: "List datasets",
      description: "Ordered by key.",
      query: Type.Object({ limit: Type.Optional(Type.Integer()), cursor: Type.Optional(Type.String()) }),
      answers: {
        200: Type.Object({
          datasets: Type.Array(Dataset),
          next_cursor: stringOrNull,
        }),
        ...refusals(),
      },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, { limit: "integer", cursor: "text" }),
    operation: listDatasets,
    reply: ({ datasets, nextCursor }) => ok({ datasets, next_cursor: nextCursor }),
  }),
  operationRoute({
    method: "POST",
    url: "/api/v1/datasets",
    describe: {
      ...usual,
      summary: "Create a dataset",
      description:
        "The column of key_column is required and unique. At most 100 in a project, 200 columns each.",
      body: NewDataset,
      answers: { 201: Dataset, ...refusals(409, 413, 415) },
    },
    caller: apiKey,
    input: bodyOf,
    operation: createDataset,
    reply(dataset) {
      const { headers, ...reply } = datasetReply(dataset);
      return { ...reply, status: 201, headers: { ...headers, Location: `/api/v1/datasets/${dataset.id}` } };
    },
  }),
  operationRoute({
    method: "GET",
    url: "/api/v1/datasets/:id",
    describe: {
      ...named,
      summary: "Read a dataset",
      description: "Its version is the ETag, for If-Match; rows have their own versions.",
      answers: { 200: Dataset, ...refusals(404) },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...queryOf(request, caller, {}), dataset: pathOf(request, "id") }),
    operation: getDataset,
    reply: datasetReply,
  }),
  operationRoute({
    method: "PATCH",
    url: "/api/v1/datasets/:id",
    describe: {
      ...named,
      summary: "Change a dataset",
      description:
        "columns is the whole list in order: was names the current key of a column that gets a new one, and a column to " +
        "delete is named in drop. A new type, required and unique need every row to fit: otherwise 409 with examples, and " +
        "nothing has changed. Rows can be read and written meanwhile. A long change is 202, and change of the " +
        "dataset shows its progress and result.",
      body: Type.Object(
        { ...DatasetPatch.properties, version: Type.Optional(Type.Integer()) },
        { additionalProperties: false },
      ),
      answers: { 200: Dataset, 202: Dataset, ...refusals(404, 409, 412, 413, 415) },
    },
    caller: apiKey,
    input(request, caller) {
      const { version, ...patch } = bodyOf(request, caller);
      return { dataset: pathOf(request, "id"), patch, ...versionFrom(request, version) };
    },
    operation: updateDataset,
    reply: ({ dataset, isDone }) => ({ ...datasetReply(dataset), status: isDone ? 200 : 202 }),
  }),
  operationRoute({
    method: "DELETE",
    url: "/api/v1/datasets/:id",
    describe: {
      ...named,
      summary: "Delete a dataset",
      description: "Permanently, with all its rows.",
      answers: { 204: Type.Null(), ...refusals(404, 412) },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, {}),
      dataset: pathOf(request, "id"),
      ...versionFrom(request, undefined),
    }),
    operation: deleteDataset,
    reply: () => ({ status: 204 }),
  }),
];
