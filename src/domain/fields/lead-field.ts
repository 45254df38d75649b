/** The type of a field, which decides its operators. */
export type FieldType =
  | "text"
  | "email"
  | "phone"
  | "number"
  | "boolean"
  | "enum"
  | "id"
  | "tags"
  | "date"
  | "object";

/** A field of a lead: a column, or a project's key in `custom`. */
export interface Field {
  name: string;
  type: FieldType;
  /** The column; for a custom field, `custom`. */
  column: string;
  key?: string;
  /** Never null, so sorting needs no NULLS FIRST or LAST. */
  required?: true;
  /** Part of search_text, whose index finds substrings. */
  worded?: true;
  /** The name under which the index over numbers has its values (see migration 0012). */
  index?: string;
  /** The label, if it depends on the project. */
  label?: string;
}

/** The cells of a dataset's row, which statements call `r`. */
export const ROW_CELLS = "r.cells";

/** Whether the field is in JSON that an index over custom_terms() covers. */
export const hasTerms = ({ column, key }: Field): boolean =>
  key !== undefined && (column === "custom" || column === ROW_CELLS);

const named = (type: FieldType, names: string, more: { required?: true; worded?: true } = {}): Field[] =>
  names.split(" ").map((name) => ({ name, type, column: name, ...more }));

/** The fields that a lead shows, in that order. */
export const LEAD_FIELDS: readonly Field[] = [
  ...named("id", "id", { required: true }),
  ...named("id", "external_id"),
  ...named("text", "name", { worded: true }),
  ...named("text", "first_name last_name"),
  ...named("email", "email", { worded: true }),
  ...named("tags", "emails"),
  ...named("phone", "phone", { worded: true }),
  ...named("id", "phone_e164"),
  ...named("tags", "phones"),
  ...named("text", "company", { worded: true }),
  ...named("text", "job_title website city state country language"),
  ...named("enum", "status", { required: true }),
  ...named("text", "lifecycle_stage"),
  ...named("number", "score value"),
  ...named("text", "currency"),
  ...named("id", "owner_id"),
  ...named("tags", "tags"),
  ...named("text", "lost_reason source medium campaign"),
  ...named("text", "utm_source utm_medium utm_campaign utm_term utm_content"),
  ...named("date", "first_touch last_touch"),
  ...named("text", "landing_page consent_status consent_basis"),
  ...named("date", "consent_at"),
  ...named("boolean", "do_not_contact", { required: true }),
  ...named("object", "custom"),
  ...named("date", "last_activity_at"),
  ...named("number", "version", { required: true }),
  ...named("id", "import_id merged_into_id"),
  ...named("date", "created_at updated_at", { required: true }),
  ...named("date", "deleted_at"),
];

export const FIELD_BY_NAME: ReadonlyMap<string, Field> = new Map(
  LEAD_FIELDS.map((field) => [field.name, field]),
);

/**
 * Finds a field by name; if its type is open, the operator and the value decide it. Refuses (400) an unknown name.
 */
export type FindField = (name: unknown, path: string, op?: unknown, value?: unknown) => Field;
