import type { CellType } from "../values/cell-type.ts";

/** The fields of a lead that a caller or a file can write, and how a cell of each is read. */
export const IMPORT_FIELDS: Readonly<Record<string, CellType>> = {
  external_id: "text",
  name: "text",
  first_name: "text",
  last_name: "text",
  email: "email",
  emails: "list",
  phone: "phone",
  phones: "list",
  company: "text",
  job_title: "text",
  website: "url",
  city: "text",
  state: "text",
  country: "text",
  language: "text",
  status: "enum",
  lifecycle_stage: "text",
  score: "number",
  value: "number",
  currency: "text",
  tags: "list",
  lost_reason: "text",
  source: "text",
  medium: "text",
  campaign: "text",
  utm_source: "text",
  utm_medium: "text",
  utm_campaign: "text",
  utm_term: "text",
  utm_content: "text",
  first_touch: "datetime",
  last_touch: "datetime",
  landing_page: "url",
  consent_status: "text",
  consent_basis: "text",
  consent_at: "datetime",
  do_not_contact: "boolean",
  last_activity_at: "datetime",
  created_at: "datetime",
};

/** Lists whose entries are validated one by one. */
export const ENTRY_TYPES: Readonly<Record<string, CellType>> = { emails: "email", phones: "phone" };

/** Columns that are never null, with the value of a new lead whose cell is blank. */
export const NEW_LEAD_VALUES: Readonly<Record<string, string | boolean | string[]>> = {
  emails: [],
  phones: [],
  tags: [],
  do_not_contact: false,
};
