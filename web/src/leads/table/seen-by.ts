import type { Lead } from "../../../../src/contract/nouns/lead.ts";
import { withValue } from "../../records/lead.ts";
import type { UnsavedCell } from "../../records/unsaved-cells.ts";

/** The lead as the person saw it while typing, which may be before a reload. */
export const seenBy = (lead: Lead, cell: UnsavedCell | undefined): Lead =>
  cell === undefined ? lead : { ...withValue(lead, cell.field, cell.was), version: cell.version };
