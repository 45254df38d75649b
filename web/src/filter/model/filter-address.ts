import type { Filter, RowFilter } from "../../../../src/contract/filters/filter.ts";
import type { Piece } from "../../address/piece.ts";
import { json } from "../../address/use-address-state.ts";
import { isFilter, isRowFilter } from "../../records/lead-query.ts";

/** A filter in the URL, as JSON: `useAddressState({ filter: filterPiece })`. */
export const filterPiece: Piece<Filter | undefined> = json<Filter | undefined>(undefined, isFilter);

/** A filter of a dataset's rows in the URL. */
export const rowFilterPiece: Piece<RowFilter | undefined> = json<RowFilter | undefined>(
  undefined,
  isRowFilter,
);
