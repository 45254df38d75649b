import { getDataset } from "../../../domain/datasets/get-dataset.ts";
import { listDatasets } from "../../../domain/datasets/list-datasets.ts";
import { queryRows } from "../../../domain/datasets/rows/query-rows.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Call, Completion, ResourceTemplate } from "../protocol/registry.ts";
import { fitRecord } from "../tools/shared/size.ts";
import { asJson, fitting, JSON_TYPE, unlessMissing } from "./json.ts";
import { matching } from "./matching.ts";
import { offsetOf, uriReader } from "./uri.ts";

const PAGE = 100;
const MOST = 500;
/** Maximum bytes of the columns and their options in an answer. */
const DEFINITION_BYTES = 30_000;

export const datasetResource: ResourceTemplate = {
  uriTemplate: "leads://datasets/{dataset_id}",
  name: "dataset",
  title: "A dataset",
  description:
    "A table of the project, by id or key: its columns and its newest rows, up to 100; next is the " +
    "URI of the next rows.",
  mimeType: JSON_TYPE,
  needs: "datasets:read",
  checksItself: true,
  match: uriReader("leads://datasets/{dataset_id}", "offset"),
  async read({ service, caller }, { dataset_id: name = "", ...rest }) {
    const offset = offsetOf(rest);
    const dataset = await unlessMissing(perform(service, getDataset, caller, { dataset: name }));
    if (dataset === undefined || offset === undefined) return undefined;
    const asked = { dataset: dataset.id, limit: PAGE, offset };
    const page = await perform(service, queryRows, caller, asked);
    const about = fitRecord({ ...dataset }, DEFINITION_BYTES);
    const { shown, left, cut } = fitting(JSON.parse(page.json) as unknown[], about.record);
    const after = offset + shown.length;
    return asJson({
      dataset: about.record,
      rows: shown,
      count: shown.length,
      total: page.total,
      total_relation: page.totalRelation,
      truncated: left > 0 || cut || about.cut,
      ...(page.hasMore || left > 0 ? { next: `leads://datasets/${dataset.id}?offset=${after}` } : {}),
      untrusted_content: ["dataset", "rows"],
    });
  },
  complete: async (call, _variable, typed) => await completeDataset(call, typed),
};

/** Returns the ids of datasets whose id starts with, or whose key or name contains, what was typed. */
async function completeDataset({ service, caller }: Call, typed: string): Promise<Completion> {
  const { datasets, hasMore } = await perform(service, listDatasets, caller, { limit: MOST });
  return matching(typed, datasets, hasMore, ({ key, name }) => [key, name]);
}
