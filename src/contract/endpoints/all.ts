import * as currentLeads from "./current-leads.ts";
import type { Endpoint } from "./endpoint.ts";
import * as fields from "./fields.ts";
import * as filters from "./filters.ts";
import * as leads from "./leads.ts";
import * as members from "./members.ts";
import * as merges from "./merges.ts";

/** The endpoints of the API host, in the order of /openapi.json. */
export const API: readonly Endpoint[] = [
  ...Object.values(leads),
  ...Object.values(filters),
  ...Object.values(merges),
  ...Object.values(fields),
  ...Object.values(members),
  ...Object.values(currentLeads),
];

/** The endpoints of the web host. */
export const WEB: readonly Endpoint[] = [];
