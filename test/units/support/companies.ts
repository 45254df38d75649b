import type { ColumnInput } from "../../../src/contract/datasets/datasets.ts";
import { columnFrom } from "../../../src/domain/datasets/create-dataset.ts";
import type { Dataset } from "../../../src/domain/datasets/definition/dataset.ts";
import { COMPANIES } from "../../datasets/support/dataset.ts";

const columns = COMPANIES.columns.map((column, i) =>
  columnFrom(column as ColumnInput, `c${i + 1}`, COMPANIES.key_column),
);

const contact = columns.find(({ key }) => key === COMPANIES.lead_link.column);

/** The dataset `companies` as stored, in a project without a country. */
export const STORED: Dataset = {
  ...{ id: "ds_1", key: COMPANIES.key, name: COMPANIES.name, columns, key_column: COMPANIES.key_column },
  lead_link: { column: "contact", match: "email", side: 0, slot: contact?.slot ?? "" },
  ...{ change: null, changing: false, change_faults: null, dropped: [], slots: columns.length, version: 1 },
  ...{ created_at: "", updated_at: "", now: "", country: null, timezone: "UTC" },
};
