import { Type } from "typebox";
import { groupsOf } from "./groups.ts";
import { LeadCondition } from "./lead-condition.ts";
import {
  DatasetCondition,
  EventCondition,
  type RelatedCondition,
  ViewCondition,
} from "./related-condition.ts";

export { RowFilter } from "./row-filter.ts";

export type Filter =
  | { and: Filter[] }
  | { or: Filter[] }
  | { not: Filter }
  | RelatedCondition
  | LeadCondition;

/** A filter of leads, as queries, exports, bulk changes and saved views take it. */
export const Filter = Type.Unsafe<Filter>(
  Type.Cyclic(
    {
      Filter: Type.Union(
        [...groupsOf("Filter"), ViewCondition, EventCondition, DatasetCondition, LeadCondition],
        {
          description:
            "Which leads: a group of filters, a saved view, a condition on events, on the rows of a dataset or on a " +
            "field. At most 8 groups deep, 100 conditions (both counted through views), 10 of events, 5 of datasets, " +
            "1,000 values in a list, 256 KB.",
          examples: [
            {
              and: [
                { field: "status", op: "in", value: ["new", "contacted"] },
                { field: "score", op: "gte", value: 50 },
              ],
            },
          ],
        },
      ),
    },
    "Filter",
  ),
);
