import { json, type Piece } from "../../address/use-address-state.ts";
import { type Filter, isFilter } from "./filter.ts";

/** A filter in the URL, as JSON: `useAddressState({ filter: filterPiece })`. */
export const filterPiece: Piece<Filter | undefined> = json<Filter | undefined>(undefined, isFilter);
