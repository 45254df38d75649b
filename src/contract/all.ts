// Written by npm run fix: what the files of this folder export.
import type { Endpoint } from "./basics/endpoint.ts";
import * as changes from "./changes/changes.ts";
import * as datasetsCurrent from "./datasets/current.ts";
import * as datasets from "./datasets/datasets.ts";
import * as datasetsRows from "./datasets/rows.ts";
import * as exports from "./exports.ts";
import * as fields from "./fields/fields.ts";
import * as fieldsQuietFields from "./fields/quiet-fields.ts";
import * as fieldsStatuses from "./fields/statuses.ts";
import * as filters from "./filters/filters.ts";
import * as imports from "./imports/imports.ts";
import * as jobs from "./jobs/jobs.ts";
import * as leadsAggregation from "./leads/aggregation.ts";
import * as leadsBulk from "./leads/bulk.ts";
import * as leadsCurrent from "./leads/current.ts";
import * as leads from "./leads/leads.ts";
import * as members from "./members.ts";
import * as merges from "./merges.ts";
import * as oauthDiscovery from "./oauth/discovery.ts";
import * as oauth from "./oauth/oauth.ts";
import * as people from "./people.ts";
import * as self from "./self.ts";
import * as suppressions from "./suppressions.ts";
import * as timelineCurrent from "./timeline/current.ts";
import * as timelineEvents from "./timeline/events.ts";
import * as usage from "./usage.ts";
import * as views from "./views.ts";

const V1 = [
  leads.createLead,
  leads.getLead,
  leads.updateLead,
  leads.deleteLead,
  leads.restoreLead,
  leadsAggregation.aggregateLeads,
  leadsBulk.bulkLeads,
  leads.countLeads,
  leadsAggregation.responseTimes,
  leads.searchLeads,
  leads.upsertLead,
  filters.listLeadFields,
  filters.validateFilter,
  timelineEvents.readFeed,
  timelineEvents.addEvents,
  timelineEvents.streamEvents,
  timelineEvents.listLeadEvents,
  timelineEvents.addLeadEvent,
  timelineEvents.syncLeads,
  merges.listDuplicates,
  merges.mergeLeads,
  merges.listDuplicateGroups,
  merges.undoMerge,
  people.erasePerson,
  people.exportPerson,
  exports.listExports,
  exports.createExport,
  exports.getExport,
  exports.cancelExport,
  exports.downloadExport,
  imports.listImports,
  imports.uploadImport,
  imports.getImport,
  imports.answerImport,
  imports.cancelImport,
  imports.commitImport,
  imports.dryRun,
  imports.listErrors,
  imports.failedFile,
  imports.countErrors,
  imports.listFields,
  imports.rereadImport,
  imports.listKept,
  imports.setMapping,
  imports.successfulFile,
  imports.undoImport,
  imports.unprocessedFile,
  jobs.listJobs,
  jobs.getJob,
  jobs.cancelJob,
  fields.listFields,
  fields.createField,
  fields.getField,
  fields.updateField,
  fields.deleteField,
  fieldsQuietFields.listUntrackedFields,
  fieldsQuietFields.replaceUntrackedFields,
  fieldsStatuses.listStatuses,
  fieldsStatuses.replaceStatuses,
  changes.listChanges,
  changes.getChange,
  changes.undoChange,
  changes.undoMany,
  views.listViews,
  views.createView,
  views.getView,
  views.updateView,
  views.deleteView,
  members.listMembers,
  usage.getUsage,
  datasets.listDatasets,
  datasets.createDataset,
  datasets.getDataset,
  datasets.updateDataset,
  datasets.deleteDataset,
  datasetsRows.searchRows,
  datasetsRows.listRows,
  datasetsRows.createRow,
  datasetsRows.deleteRows,
  datasetsRows.getRow,
  datasetsRows.updateRow,
  datasetsRows.deleteRow,
  datasetsRows.writeRows,
  self.getSelf,
  suppressions.countSuppressions,
  suppressions.addSuppressions,
  suppressions.removeSuppression,
] as const;

/** The endpoints of version 1 of the API, with their literal types. */
export type ApiEndpoint = (typeof V1)[number];

/** The endpoints of the API host, in the order of /openapi.json. */
export const API: readonly Endpoint[] = [
  ...V1,
  leadsCurrent.getLead,
  leadsCurrent.exportLeads,
  leadsCurrent.queryLeads,
  timelineCurrent.readTimeline,
  datasetsCurrent.listDatasets,
  datasetsCurrent.getDataset,
  datasetsCurrent.importRows,
  datasetsCurrent.getImport,
  datasetsCurrent.queryRows,
  datasetsCurrent.writeRows,
  datasetsCurrent.deleteRows,
];

/** The endpoints of the web host. */
export const WEB: readonly Endpoint[] = [
  oauthDiscovery.authorizationServer,
  oauthDiscovery.protectedResource,
  oauthDiscovery.protectedResourceOfMcp,
  oauthDiscovery.authorizationServerUnderApi,
  oauth.introspectToken,
  oauth.registerApplication,
  oauth.revokeToken,
  oauth.issueTokens,
];
