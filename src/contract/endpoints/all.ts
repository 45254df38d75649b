import * as currentTimeline from "./current-timeline.ts";
import * as discovery from "./discovery.ts";
import type { Endpoint } from "./endpoint.ts";
import * as events from "./events.ts";
import * as fields from "./fields.ts";
import * as jobs from "./jobs.ts";
import * as members from "./members.ts";
import * as oauth from "./oauth.ts";
import * as usage from "./usage.ts";

/** The endpoints of the API host, in the order of /openapi.json. */
export const API: readonly Endpoint[] = [
  ...Object.values(events),
  ...Object.values(jobs),
  ...Object.values(fields),
  ...Object.values(members),
  ...Object.values(usage),
  ...Object.values(currentTimeline),
];

/** The endpoints of the web host. */
export const WEB: readonly Endpoint[] = [...Object.values(discovery), ...Object.values(oauth)];
