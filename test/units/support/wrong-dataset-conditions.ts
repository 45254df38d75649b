import { NO_PROJECT_SCHEMA, type ProjectSchema } from "../../../src/domain/fields/project-schema.ts";
import { STORED } from "./companies.ts";

const asked = (where?: object, count?: object, key = "companies") => ({
  dataset: { key, ...(where === undefined ? {} : { where }), ...(count === undefined ? {} : { count }) },
});

/** A project with a dataset that is linked to leads, and one that is not. */
export const LINKED: ProjectSchema = {
  ...NO_PROJECT_SCHEMA,
  datasets: new Map([
    ["companies", STORED],
    ["loose", { ...STORED, key: "loose", lead_link: null }],
  ]),
};

/** Invalid conditions on datasets: the filter, the code and the path. */
export const WRONG_DATASETS: [object, string, string][] = [
  [asked(undefined, undefined, "nope"), "unknown_dataset", "$.filter.dataset.key"],
  [asked(undefined, undefined, "a\0"), "unknown_dataset", "$.filter.dataset.key"],
  [asked(undefined, undefined, "loose"), "not_linked", "$.filter.dataset.key"],
  [{ dataset: "companies" }, "type", "$.filter.dataset"],
  [{ dataset: { where: {} } }, "required", "$.filter.dataset.key"],
  [{ dataset: { key: "companies", when: 1 } }, "unknown_key", "$.filter.dataset.when"],
  [asked({ field: "employes", op: "eq", value: 1 }), "unknown_field", "$.filter.dataset.where.field"],
  [asked({ field: "employees", op: "contains", value: 1 }), "unknown_operator", "$.filter.dataset.where.op"],
  [
    asked({ and: [{ field: "tier", op: "in", value: ["gold", 1] }] }),
    "type",
    "$.filter.dataset.where.and[0].value[1]",
  ],
  [asked({ event: {} }), "unknown_form", "$.filter.dataset.where"],
  [asked(asked()), "unknown_form", "$.filter.dataset.where"],
  [asked(undefined, { op: "eq", value: -1 }), "range", "$.filter.dataset.count.value"],
  [{ or: Array(6).fill(asked()) }, "too_many_datasets", "$.filter.or[5]"],
  [{ event: { where: asked() } }, "unknown_form", "$.filter.event.where"],
];
