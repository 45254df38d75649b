import type { Endpoint } from "./basics/endpoint.ts";
import * as changes from "./changes/changes.ts";
import * as currentDatasets from "./datasets/current.ts";
import * as datasets from "./datasets/datasets.ts";
import * as rows from "./datasets/rows.ts";
import * as exports from "./exports.ts";
import * as fields from "./fields/fields.ts";
import * as quietFields from "./fields/quiet-fields.ts";
import * as statuses from "./fields/statuses.ts";
import * as filters from "./filters/filters.ts";
import * as imports from "./imports/imports.ts";
import * as jobs from "./jobs/jobs.ts";
import * as currentLeads from "./leads/current.ts";
import * as leads from "./leads/leads.ts";
import * as members from "./members.ts";
import * as merges from "./merges.ts";
import * as discovery from "./oauth/discovery.ts";
import * as oauth from "./oauth/oauth.ts";
import * as people from "./people.ts";
import * as currentTimeline from "./timeline/current.ts";
import * as events from "./timeline/events.ts";
import * as usage from "./usage.ts";
import * as views from "./views.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Returns the endpoints of a file by URL, and those of one URL by method. */
const sorted = (file: Readonly<Record<string, unknown>>): readonly Endpoint[] =>
  Object.values(file)
    .filter(isEndpoint)
    .sort(
      (a, b) => a.url.localeCompare(b.url, "en") || METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
    );

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "answers" in value && "url" in value;

const V1 = [
  ...[leads, filters, events, merges, people, exports, imports, jobs, fields, quietFields, statuses],
  ...[changes, views, members, usage, datasets, rows],
] as const;
const CURRENT = [currentLeads, currentTimeline, currentDatasets];

type EndpointsIn<File> = File extends unknown ? Extract<File[keyof File], Endpoint> : never;

/** The endpoints of version 1 of the API, with their literal types. */
export type ApiEndpoint = EndpointsIn<(typeof V1)[number]>;

/** The endpoints of the API host, in the order of /openapi.json. */
export const API: readonly Endpoint[] = [...V1, ...CURRENT].flatMap(sorted);

/** The endpoints of the web host. */
export const WEB: readonly Endpoint[] = [discovery, oauth].flatMap(sorted);
