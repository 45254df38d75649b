import { type Static, Type } from "typebox";
import { orNull, Relation } from "./basics.ts";

/** Where a page by offset stands in its list. */
export const PageInfo = Type.Object(
  {
    limit: Type.Integer(),
    offset: Type.Integer(),
    count: Type.Integer({ description: "The length of this page." }),
    has_more: Type.Boolean(),
    next_offset: orNull(Type.Integer(), { description: "Null at the end." }),
    total: orNull(Type.Integer(), {
      description: "How many there are: exact up to 10,000, unless total is exact. Null if total is none.",
    }),
    total_relation: orNull(Relation),
  },
  { $id: "PageInfo", description: "Where the page stands in the list." },
);
export type PageInfo = Static<typeof PageInfo>;
