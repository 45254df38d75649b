import * as currentDatasets from "./current-datasets.ts";
import * as datasets from "./datasets.ts";
import type { Endpoint } from "./endpoint.ts";
import * as fields from "./fields.ts";
import * as imports from "./imports.ts";
import * as members from "./members.ts";
import * as rows from "./rows.ts";

/** The endpoints of the API host, in the order of /openapi.json. */
export const API: readonly Endpoint[] = [
  ...Object.values(imports),
  ...Object.values(fields),
  ...Object.values(members),
  ...Object.values(datasets),
  ...Object.values(rows),
  ...Object.values(currentDatasets),
];

/** The endpoints of the web host. */
export const WEB: readonly Endpoint[] = [];
