import { noteSlow, noteUsed } from "../field-index/learn.ts";
import type { MemberContext } from "../operation/operation.ts";
import type { SortOrder } from "./sql/sort-sql.ts";
import type { Filter } from "./tree/filter.ts";
import { wantedIndexes } from "./wanted-indexes.ts";

/** Statements that take longer ask for indexes, in milliseconds. */
const SLOW_MS = 100;

/** What a statement read. */
interface Asked {
  filter: Filter | undefined;
  sort: readonly SortOrder[] | undefined;
  /** The indexes of fields that it used. */
  ids: readonly number[];
}

/** Returns a function for the time that a statement took, by which indexes of fields are made and kept. */
export const noteTime =
  ({ service, caller }: Pick<MemberContext, "service" | "caller">, { filter, sort, ids }: Asked) =>
  (ms: number): void => {
    if (ids.length > 0) noteUsed(service, caller.projectId, ids);
    if (ms > SLOW_MS) noteSlow(service, caller.projectId, wantedIndexes(filter, sort));
  };
