import type { Resource, ResourceTemplate } from "../protocol/registry.ts";
import { datasetResource } from "./dataset.ts";
import { exportResource } from "./export.ts";
import { filterResource, filtersResource } from "./filters.ts";
import { leadResource } from "./lead.ts";
import { limitsResource } from "./limits.ts";
import { projectResource } from "./project.ts";
import { schemaResource } from "./schema.ts";
import { timelineResource } from "./timeline.ts";
import { VIEW_RESOURCES } from "./views.ts";

/** The resources with a fixed URI. */
export const RESOURCES: readonly Resource[] = [
  projectResource,
  schemaResource,
  filtersResource,
  limitsResource,
  ...VIEW_RESOURCES,
];

/** The resources that are read by id. */
export const TEMPLATES: readonly ResourceTemplate[] = [
  leadResource,
  timelineResource,
  datasetResource,
  exportResource,
  filterResource,
];
