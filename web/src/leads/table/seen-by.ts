import { withValue } from "../../records/lead.ts";
import type { ListedLead } from "../../records/listed-lead.ts";
import type { UnsavedCell } from "../../records/unsaved-cells.ts";

/** The lead as the person saw it while typing, which may be before a reload. */
export const seenBy = (lead: ListedLead, cell: UnsavedCell | undefined): ListedLead =>
  cell === undefined ? lead : { ...withValue(lead, cell.field, cell.was), version: cell.version };
