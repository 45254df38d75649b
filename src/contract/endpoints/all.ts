import type { Endpoint } from "./endpoint.ts";
import * as fields from "./fields.ts";
import * as members from "./members.ts";

/** The endpoints of the API host, in the order of /openapi.json. */
export const API: readonly Endpoint[] = [...Object.values(fields), ...Object.values(members)];

/** The endpoints of the web host. */
export const WEB: readonly Endpoint[] = [];
