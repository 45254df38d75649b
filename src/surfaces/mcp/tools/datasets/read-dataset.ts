import { Type } from "typebox";
import { listDatasets } from "../../../../domain/datasets/list-datasets.ts";
import { queryRows } from "../../../../domain/datasets/rows/query-rows.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { unlisted } from "../../protocol/shown-schema.ts";
import { RowFilter, toFilter } from "../shared/filter.ts";
import { outside } from "../shared/outside-text.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { BriefSort, orderOf } from "../shared/sort.ts";
import { type Table, tableOf } from "../shared/table.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, limitOf, Offset, present, Timezone, Total } from "../shared/words.ts";

export const DatasetName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "A dataset's key or id.",
});

/** A call also counts against the limit of datasets. */
export const readDatasetTool = composedTool({
  name: "read_dataset",
  title: "Read a dataset",
  description:
    "Reads rows of a table, the newest first by default. Without dataset: lists the tables with their " +
    "columns and links to leads.",
  input: exactly({
    dataset: Type.Optional(DatasetName),
    filter: Type.Optional(RowFilter),
    search: Type.Optional(
      unlisted(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "Words in the row's text.",
        }),
      ),
    ),
    sort: BriefSort,
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: 210,
        description: "Default all.",
      }),
    ),
    timezone: Timezone,
    limit: limitOf(25, 200, "Rows"),
    offset: Offset,
    total: Total,
  }),
  needs: "datasets:read",
  view: VIEWS.results,
  idempotent: true,
  check: ({ dataset, ...rest }) =>
    dataset === undefined
      ? Object.keys(rest)
          .filter((name) => !["limit", "offset"].includes(name))
          .map((name) => ({ path: `$.${name}`, code: "unexpected", message: "is allowed only with dataset" }))
      : [],
  async run({ service, caller }, { dataset, filter, sort, columns, limit = 25, offset = 0, ...rest }) {
    const room = ANSWER_BYTES - FRAME_BYTES;
    if (dataset === undefined) {
      const { datasets, hasMore, total } = await perform(service, listDatasets, caller, { limit, offset });
      const shown = fitList(
        datasets.map((each) => outside(briefDataset(each)) as object),
        room,
      );
      return pageOf({ datasets: shown }, { shown: shown.length, hasMore, total }, datasets.length, offset);
    }
    const page = await perform(service, queryRows, caller, {
      ...present({ ...rest, dataset, columns, sort: sort?.map(orderOf), filter: filter && toFilter(filter) }),
      limit,
      offset,
    });
    const rows = JSON.parse(page.json) as Record<string, unknown>[];
    const named = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
      (name) => !SELDOM.includes(name),
    );
    const table = tableOf(columns === undefined ? named : ["_id", ...columns], rows, room, columns);
    return pageOf(
      { rows: table },
      { shown: table.rows.length, hasMore: page.hasMore, total: page.total },
      rows.length,
      offset,
    );
  },
});

/** Columns of every row that are shown only if they are named. */
const SELDOM = ["_version", "_created_at", "_updated_at"];

const FRAME_BYTES = 2_000;

interface ListedDataset {
  id: string;
  key: string;
  name: string;
  columns: { key: string; type: string; required: boolean; unique: boolean; options: string[] }[];
  key_column: string | null;
  lead_link: object | null;
}

/** Returns a dataset with its columns in few words, such as `email: email, unique`. */
function briefDataset(given: object): object {
  const { id, key, name, columns, key_column: keyColumn, lead_link: link } = given as ListedDataset;
  return {
    ...{ id, key, name },
    columns: columns.map((column) =>
      [
        `${column.key}: ${column.type}`,
        ...(column.required ? ["required"] : []),
        ...(column.unique ? ["unique"] : []),
        ...(column.options.length > 0 ? [`one of ${column.options.slice(0, 20).join(" | ")}`] : []),
      ].join(", "),
    ),
    key_column: keyColumn,
    lead_link: link,
  };
}

/** Returns a page with what follows it. */
function pageOf(
  content: { rows: Table } | { datasets: object[] },
  { shown, hasMore, total }: { shown: number; hasMore: boolean; total: number | null },
  found: number,
  offset: number,
): object {
  return {
    ...(total === null ? {} : { total }),
    ...content,
    ...(hasMore || shown < found ? { next_offset: offset + shown } : {}),
    untrusted_content: Object.keys(content),
  };
}
