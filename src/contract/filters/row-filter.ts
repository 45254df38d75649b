import { type Static, Type } from "typebox";
import { openCondition } from "./condition.ts";
import { groupsOf } from "./groups.ts";

const RowCondition = openCondition(
  Type.String({
    description: "The key of a column, or _id, _lead_id, _version, _created_at, _updated_at.",
  }),
  {
    $id: "RowCondition",
    description:
      "A condition on a column of a dataset. The column's type decides which of these operators and values are " +
      "allowed: integer is a number, datetime a date, url a text; json has only is_empty and is_not_empty.",
    examples: [{ field: "employees", op: "gte", value: 50 }],
  },
);

export type RowFilter =
  | { and: RowFilter[] }
  | { or: RowFilter[] }
  | { not: RowFilter }
  | Static<typeof RowCondition>;

/** A filter over the rows of a dataset. */
export const RowFilter = Type.Unsafe<RowFilter>(
  Type.Cyclic(
    {
      RowFilter: Type.Union([...groupsOf("RowFilter"), RowCondition], {
        description:
          "Which rows of a dataset: a group of filters, or a condition on a column. At most 8 groups deep, " +
          "100 conditions, 1,000 values in a list, 256 KB.",
      }),
    },
    "RowFilter",
  ),
);
