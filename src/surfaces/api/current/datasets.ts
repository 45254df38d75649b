import { Type } from "typebox";
import { getDataset } from "../../../domain/datasets/get-dataset.ts";
import { listDatasets } from "../../../domain/datasets/list-datasets.ts";
import { changeRows, RowsInput } from "../../../domain/datasets/rows/change-rows.ts";
import { deleteRows, RowsToDelete } from "../../../domain/datasets/rows/delete-rows.ts";
import { queryRows } from "../../../domain/datasets/rows/query-rows.ts";
import { RowsQuery } from "../../../domain/datasets/rows/rows-query.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import {
  ChangedRowsBody,
  Dataset,
  DatasetInPath,
  DeletedRowsBody,
  LARGE_BODY,
  RowPageBody,
  RowProblem,
} from "../shared/dataset-described.ts";
import { LeadPageBody, PROBLEMS, Problem } from "../shared/described.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";
import { offsetPageJson } from "../shared/page-json.ts";
import { withSlash } from "../shared/with-slash.ts";

const usual = { tags: ["datasets"], bearer: true as const };
const named = { ...usual, params: DatasetInPath };
const { dataset: _, ...query } = RowsQuery.properties;
const closed = { additionalProperties: false };

const list = withSlash("/api/datasets", (url) =>
  operationRoute({
    method: "GET",
    url,
    describe: {
      ...usual,
      summary: "List datasets",
      description: "Ordered by key.",
      query: Type.Object({ limit: Type.Optional(Type.Integer()), offset: Type.Optional(Type.Integer()) }),
      answers: {
        200: Type.Object({
          datasets: Type.Array(Dataset),
          page_info: LeadPageBody.properties.page_info,
        }),
        400: Problem,
        ...PROBLEMS,
      },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, { limit: "integer", offset: "integer" }),
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

const get = withSlash("/api/datasets/:id", (url) =>
  operationRoute({
    method: "GET",
    url,
    describe: { ...named, summary: "Read a dataset", answers: { 200: Dataset, 404: Problem, ...PROBLEMS } },
    caller: apiKey,
    input: (request) => ({ dataset: pathOf(request, "id") }),
    operation: getDataset,
  }),
);

const rows = withSlash("/api/datasets/:id/query", (url) =>
  operationRoute({
    method: "POST",
    url,
    describe: {
      ...named,
      summary: "Query the rows of a dataset",
      description: "Like a query of leads, over its columns. Newest first unless sort is given.",
      body: Type.Object(query, closed),
      answers: { 200: RowPageBody, 400: Problem, 404: Problem, 413: Problem, 415: Problem, ...PROBLEMS },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...bodyOf(request, caller), dataset: pathOf(request, "id") }),
    operation: queryRows,
    reply: (page) => ok(offsetPageJson("rows", page)),
  }),
);

const write = withSlash("/api/datasets/:id/rows", (url) =>
  operationRoute({
    method: "POST",
    url,
    bodyLimit: LARGE_BODY,
    describe: {
      ...named,
      summary: "Write rows",
      description:
        "All of them or none: 422 lists the errors of each row, and nothing was written. Each row sees what " +
        "the rows before it wrote.",
      body: RowsInput,
      answers: {
        200: ChangedRowsBody,
        ...{ 400: Problem, 404: Problem, 413: Problem, 415: Problem, 422: RowProblem },
        ...PROBLEMS,
      },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...bodyOf(request, caller), dataset: pathOf(request, "id") }),
    operation: changeRows,
  }),
);

const remove = withSlash("/api/datasets/:id/rows", (url) =>
  operationRoute({
    method: "DELETE",
    url,
    describe: {
      ...named,
      summary: "Delete rows",
      description: "By ids, by keys, or all that match a filter; expected_count must be their number.",
      body: RowsToDelete,
      answers: {
        200: DeletedRowsBody,
        ...{ 400: Problem, 404: Problem, 409: Problem, 415: Problem, 422: Problem },
        ...PROBLEMS,
      },
    },
    caller: apiKey,
    input: (request, caller) => ({ ...bodyOf(request, caller), dataset: pathOf(request, "id") }),
    operation: deleteRows,
  }),
);

/** Datasets under the endpoints without a version. */
export const datasetRoutes: readonly Route[] = [...list, ...get, ...rows, ...write, ...remove];
