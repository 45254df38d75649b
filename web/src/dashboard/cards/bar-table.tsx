import { Link } from "react-router";
import { Bars, type BarsOf } from "../../table/bars.tsx";

export type { BarRow } from "../../table/bars.tsx";

/** A table drawn as bars, whose rows link to their leads. */
export const BarTable = (table: Omit<BarsOf, "link">) => <Bars {...table} link={Link} />;
