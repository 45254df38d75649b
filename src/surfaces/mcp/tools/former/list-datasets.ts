import { Type } from "typebox";
import { listDatasets } from "../../../../domain/datasets/list-datasets.ts";
import { pageAnswer, pageSchema } from "../shared/page-answer.ts";
import { tool } from "../shared/tool.ts";
import { exactly, limitOf, maybe, Offset, open, text, whole } from "../shared/words.ts";

const Column = Type.Object({
  key: text("Its name in rows."),
  label: text("Its label for people."),
  type: text("text, integer, number, boolean, date, datetime, email, phone, url, enum or json."),
  required: Type.Boolean({ description: "Whether every row has a value." }),
  unique: Type.Boolean({ description: "Whether its values are unique." }),
  options: maybe(Type.Array(Type.String(), { description: "For enum: the values to choose from." })),
});

const Dataset = Type.Object(
  {
    id: text("The dataset's id, ds_…"),
    key: maybe(text("Its key, which tools accept too.")),
    name: maybe(text("Its label for people.")),
    columns: maybe(Type.Array(Column, { description: "Its columns, in order." })),
    key_column: maybe(text("The column by which write_dataset finds rows.")),
    lead_link: maybe(open("Which column links rows to leads, and by what.")),
    version: maybe(whole("Version of its columns.")),
    omitted_fields: maybe(
      Type.Array(Type.String(), { description: "Fields omitted because the dataset is very large." }),
    ),
  },
  { description: "A table of the project." },
);

/** A call also counts against the limit of datasets. */
export const listDatasetsTool = tool({
  name: "list_datasets",
  title: "List datasets",
  description:
    "Lists the project's tables with their columns and how their rows are linked to leads. Returns a page; next_offset " +
    "leads to the next one.",
  input: exactly({ limit: limitOf(25, 100, "Datasets"), offset: Offset }),
  output: pageSchema("datasets", Dataset),
  operation: listDatasets,
  idempotent: true,
  toInput: ({ limit = 25, offset = 0 }) => ({ limit, offset }),
  toAnswer: ({ datasets, hasMore, total }, { offset = 0 }) =>
    pageAnswer("datasets", datasets, { hasMore, total, totalRelation: "eq" }, offset, {
      left: "",
      cut: "The columns of a very wide dataset were omitted; read_dataset returns rows with all of them.",
    }),
});
