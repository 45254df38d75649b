import { Type } from "typebox";
import { queryRows } from "../../../../domain/datasets/rows/query-rows.ts";
import { RowFilter, toFilter } from "../shared/filter.ts";
import { pageAnswer, pageSchema } from "../shared/page-answer.ts";
import { tool } from "../shared/tool.ts";
import { exactly, limitOf, maybe, Offset, oneOf, present, Timezone, text, whole } from "../shared/words.ts";

export const DatasetName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The dataset's id, such as ds_01k3…, or its key.",
});

const Row = Type.Object(
  {
    _id: text("The row's id, row_…"),
    _lead_id: maybe(text("The lead that the row is linked to.")),
    _version: maybe(whole("Counts the changes.")),
    _created_at: maybe(text("ISO 8601 with offset.")),
    _updated_at: maybe(text("ISO 8601 with offset.")),
    omitted_fields: maybe(
      Type.Array(Type.String(), { description: "Columns omitted because the row is very large." }),
    ),
  },
  { description: "A row: also has the columns with a value." },
);

const Order = exactly({
  field: Type.String({ minLength: 1, maxLength: 100, description: "A column's key, or _created_at." }),
  dir: Type.Optional(oneOf(["asc", "desc"], "default asc")),
});

/** A call also counts against the limit of datasets. */
export const readDatasetTool = tool({
  name: "read_dataset",
  title: "Read a dataset",
  description:
    "Reads rows of one of the project's tables by conditions, words and order, newest first unless sort is given. " +
    "Returns a page; next_offset leads to the next one.",
  input: exactly({
    dataset: DatasetName,
    filter: Type.Optional(RowFilter),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Words that must all occur in the row's text.",
      }),
    ),
    sort: Type.Optional(
      Type.Array(Order, { maxItems: 3, description: "What to sort by, the first column first." }),
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: 210,
        description: "Only these columns; default all. With fewer, more rows fit an answer.",
      }),
    ),
    timezone: Timezone,
    limit: limitOf(25, 200, "Rows"),
    offset: Offset,
    total: Type.Optional(oneOf(["bounded", "exact", "none"], "How far to count matches; default bounded.")),
  }),
  output: pageSchema("rows", Row),
  operation: queryRows,
  idempotent: true,
  toInput: ({ filter, limit = 25, offset = 0, ...rest }) => ({
    ...present({ ...rest, filter: filter && toFilter(filter) }),
    limit,
    offset,
  }),
  toAnswer: (page, { offset = 0 }) =>
    pageAnswer("rows", JSON.parse(page.json) as unknown[], page, offset, {
      left: "To fit more, name only the columns you need, or narrow the filter.",
      cut: "Long texts of large rows were cut.",
    }),
});
