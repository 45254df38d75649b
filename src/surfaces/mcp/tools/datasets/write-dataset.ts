import { Type } from "typebox";
import { DatasetInput } from "../../../../contract/datasets/datasets.ts";
import { ROW_MODES } from "../../../../contract/lists/datasets.ts";
import { createDataset } from "../../../../domain/datasets/create-dataset.ts";
import { getDataset } from "../../../../domain/datasets/get-dataset.ts";
import { changeRows } from "../../../../domain/datasets/rows/change-rows.ts";
import { queryRows } from "../../../../domain/datasets/rows/query-rows.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { type Call, Questions } from "../../protocol/registry.ts";
import { shownAs } from "../../protocol/shown-schema.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, oneOf, open } from "../shared/words.ts";
import { isUndecided, worked } from "../shared/writing.ts";
import { DatasetName } from "./read-dataset.ts";

const FRAME_BYTES = 1_000;

const { key: _, ...definition } = DatasetInput.properties;

const Definition = shownAs(exactly(definition), {
  type: "object",
  description:
    "{name, columns: [{key, type: text|integer|number|boolean|date|datetime|email|phone|url|enum|json, required, unique, " +
    "options}], key_column, lead_link: {column, match: email|phone|external_id|lead_id}}.",
});

/** Creates the dataset first if it is defined; a call also counts against the limit of datasets. */
export const writeDatasetTool = composedTool({
  name: "write_dataset",
  title: "Write rows of a dataset",
  description:
    "Writes up to 500 rows of a dataset, all or none: the error names a bad row. create makes the dataset first.",
  input: exactly({
    dataset: DatasetName,
    create: Type.Optional(Definition),
    mode: Type.Optional(oneOf(ROW_MODES, "Default insert; others find rows by key column or _id.")),
    rows: Type.Optional(
      Type.Array(open("Values by column key; omitted ones stay, null clears."), {
        minItems: 1,
        maxItems: 500,
      }),
    ),
  }),
  needs: "datasets:write",
  view: VIEWS.change,
  destructive: true,
  idempotent: false,
  path: (path) => (path === "$.key" ? "$.dataset" : path.replace(/^\$\.(?!rows|mode|dataset)/, "$.create.")),
  check: ({ create, rows }) =>
    create === undefined && rows === undefined
      ? [{ path: "$.rows", code: "required", message: "is required, unless create defines a new dataset" }]
      : [],
  async run(call, { dataset, create, mode = "insert", rows }) {
    let made: object = {};
    if (create !== undefined) {
      const answer = await worked(call, {
        operation: createDataset,
        input: { ...(create as object), key: dataset },
        title: `Create the dataset ${dataset}`,
        toAnswer: ({ id }) => ({ dataset_id: id }),
      });
      if (rows === undefined || answer instanceof Questions || isUndecided(answer)) return answer;
      made = answer;
    }
    const answer = await worked(call, {
      operation: changeRows,
      input: { dataset, mode, rows },
      title: `Write ${rows?.length === 1 ? "a row" : `${rows?.length} rows`} of the dataset ${dataset}`,
      toAnswer({ results, created, updated, unchanged }) {
        const written = results.map(({ index, outcome, id }) => [index, outcome, id]);
        const shown = fitList(written, ANSWER_BYTES - FRAME_BYTES);
        return {
          ...made,
          ...{ created, updated, unchanged },
          written: { columns: ["index", "outcome", "id"], rows: shown },
        };
      },
    });
    return answer instanceof Questions ? answer : { ...answer, ...(await linkedOf(call, dataset, answer)) };
  },
});

/**
 * Returns how many of the written rows belong to a lead, if the dataset links rows to leads. The rows are written, whatever
 * becomes of reading them.
 */
async function linkedOf(
  { service, caller }: Call,
  dataset: string,
  answer: { written?: { rows: [number, string, string][] } },
): Promise<object> {
  const ids = answer.written?.rows.map(([, , id]) => id) ?? [];
  if (ids.length === 0) return {};
  const linked = { field: "_lead_id", op: "is_not_empty" };
  const filter = { and: [{ field: "_id", op: "in", value: ids }, linked] };
  try {
    if ((await perform(service, getDataset, caller, { dataset })).lead_link === null) return {};
    const query = { dataset, filter, columns: ["_id"], limit: 1, total: "exact" };
    return { linked_to_leads: (await perform(service, queryRows, caller, query)).total };
  } catch {
    return {};
  }
}
