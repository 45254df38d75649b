import { FILE_FIELDS } from "../../../../src/contract/lists/opt-outs.ts";
import { IMPORT_FIELDS } from "../../../../src/contract/lists/written-fields.ts";
import type { ImportTarget } from "../../../../src/domain/imports/mapping/import-target.ts";

const STATUSES = ["new", "contacted", "qualified", "won", "lost"];

/** A project without custom fields, members and a country. */
export const TARGET: ImportTarget = {
  ...{
    projectId: "prj_1",
    country: null,
    currency: null,
    timezone: "UTC",
    statuses: STATUSES,
    fill: false,
    mode: "upsert",
    keepsOptOut: true,
    owners: new Map(),
    labels: new Map(),
    rows: null,
    now: new Date("2026-06-01T12:00:00Z"),
  },
  fields: new Map(
    [...Object.entries(IMPORT_FIELDS), ...Object.entries(FILE_FIELDS)].map(([field, known]) => {
      const { type, options } = typeof known === "string" ? { type: known, options: [] } : known;
      return [field, { type, options: field === "status" ? STATUSES : [...options] }];
    }),
  ),
};
