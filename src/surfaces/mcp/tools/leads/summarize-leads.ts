import { Type } from "typebox";
import { METRICS } from "../../../../contract/lists/figures.ts";
import { INTERVALS } from "../../../../contract/lists/time.ts";
import { aggregateLeads } from "../../../../domain/leads/figures/aggregate-leads.ts";
import { outside } from "../shared/outside-text.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { tool } from "../shared/tool.ts";
import { exactly, Hint, oneOf, open, present, Truncated, UntrustedContent, whole } from "../shared/words.ts";
import { Selection, toSelection } from "./selection.ts";

const FRAME_BYTES = 1_000;

const Group = exactly({
  field: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "A field, such as status or custom.plan.",
  }),
  interval: Type.Optional(oneOf(INTERVALS, "For a date: the bucket's length; weeks start on Monday.")),
});

const Metric = exactly({
  op: oneOf(METRICS, "count counts leads; the others need a field."),
  field: Type.Optional(Type.String({ maxLength: 200, description: "What to sum or compare." })),
});

const Order = exactly({
  field: Type.String({
    maxLength: 220,
    description: "A field of group_by, or a metric's name, such as sum_value.",
  }),
  dir: Type.Optional(oneOf(["asc", "desc"], "default asc")),
});

export const summarizeLeadsTool = tool({
  name: "summarize_leads",
  title: "Summarize leads",
  description:
    "Computes metrics of the leads that match: counts, sums, averages, minimum and maximum, by up to two fields or by " +
    "time. A metric is named by its op and field: count, sum_value, avg_score.",
  input: exactly({
    ...Selection,
    group_by: Type.Optional(Type.Array(Group, { maxItems: 2, description: "Default one group of all." })),
    metrics: Type.Optional(Type.Array(Metric, { minItems: 1, maxItems: 10, description: "Default count." })),
    sort: Type.Optional(
      Type.Array(Order, {
        maxItems: 3,
        description: "Default by date for date buckets, else the largest first metric first.",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: "Groups in the answer." }),
    ),
  }),
  output: Type.Object({
    groups: Type.Array(
      Type.Object({
        key: open("The group's values by field; absent if its leads have no value."),
        metrics: open("Its metrics by name; absent if there is nothing to compute."),
      }),
      { description: "The groups, in order." },
    ),
    count: whole("How many groups are in this answer."),
    total_groups: whole("The total number of groups."),
    truncated: Truncated,
    hint: Hint,
    untrusted_content: UntrustedContent,
  }),
  operation: aggregateLeads,
  idempotent: true,
  toInput: ({ group_by, metrics, sort, limit, ...selection }) => ({
    ...toSelection(selection),
    ...present({ group_by, metrics, sort, limit }),
  }),
  toAnswer({ json, totalGroups }) {
    const groups = outside(JSON.parse(json)) as object[];
    const shown = fitList(groups, ANSWER_BYTES - FRAME_BYTES);
    const truncated = shown.length < totalGroups;
    const hint =
      "Not every group is shown. Narrow the filter, group by a longer interval, or change the sort.";
    return {
      groups: shown,
      count: shown.length,
      total_groups: totalGroups,
      truncated,
      ...(truncated ? { hint } : {}),
      untrusted_content: ["groups"],
    };
  },
});
