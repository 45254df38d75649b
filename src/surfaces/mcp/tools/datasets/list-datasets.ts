import { Type } from "typebox";
import { listDatasets } from "../../../../domain/datasets/list-datasets.ts";
import { pageAnswer, pageSchema } from "../shared/page-answer.ts";
import { tool } from "../shared/tool.ts";
import { exactly, limitOf, maybe, Offset, open, text, whole } from "../shared/words.ts";

const Column = Type.Object({
  key: text("What rows call it."),
  label: text("What people call it."),
  type: text("text, integer, number, boolean, date, datetime, email, phone, url, enum or json."),
  required: Type.Boolean({ description: "Whether every row has a value." }),
  unique: Type.Boolean({ description: "Whether no two rows have the same." }),
  options: maybe(Type.Array(Type.String(), { description: "For enum: the values to choose from." })),
});

const Dataset = Type.Object(
  {
    id: text("The dataset's id, ds_…"),
    key: maybe(text("Its key, which tools take too.")),
    name: maybe(text("What people call it.")),
    columns: maybe(Type.Array(Column, { description: "Its columns, in order." })),
    key_column: maybe(text("The column by which write_dataset finds rows.")),
    lead_link: maybe(open("Which column says which lead a row means, and by what.")),
    version: maybe(whole("Counts the changes of its columns.")),
    omitted_fields: maybe(
      Type.Array(Type.String(), { description: "Fields left out because the dataset is very large." }),
    ),
  },
  { description: "A table of the project's own." },
);

/** Two round trips: the turn of MCP, then the list, which takes a turn of datasets too. */
export const listDatasetsTool = tool({
  name: "list_datasets",
  title: "List datasets",
  description:
    "Lists the project's own tables with their columns and how their rows belong to leads. Answers a page; next_offset " +
    "leads to the next one.",
  input: exactly({ limit: limitOf(25, 100, "Datasets"), offset: Offset }),
  output: pageSchema("datasets", Dataset),
  operation: listDatasets,
  idempotent: true,
  toInput: ({ limit = 25, offset = 0 }) => ({ limit, offset }),
  toAnswer: ({ datasets, hasMore, total }, { offset = 0 }) =>
    pageAnswer("datasets", datasets, { hasMore, total, totalRelation: "eq" }, offset, {
      left: "",
      cut: "The columns of a very wide dataset were left out; read_dataset answers rows with all of them.",
    }),
});
