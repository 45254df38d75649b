/** What a field holds, which decides the operators that it knows. */
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

/** A field of a lead: a column, or a key of the project's own under `custom`. */
export interface Field {
  name: string;
  type: FieldType;
  /** The column; for a custom field, `custom`. */
  column: string;
  key?: string;
  /** Never null, so that an order by it needs no word about nulls. */
  required?: true;
  /** Part of search_text, whose index finds any part of it. */
  worded?: true;
  /** What the index over numbers has its values under, in their order (see migration 0012). */
  index?: string;
  /** What people call it, where that is not the same for every project. */
  label?: string;
}

/** The cells of a dataset's row, which statements call `r`. */
export const ROW_CELLS = "r.cells";

/** Whether the field stands in JSON of which an index holds custom_terms(). */
export const hasTerms = ({ column, key }: Field): boolean =>
  key !== undefined && (column === "custom" || column === ROW_CELLS);

const named = (type: FieldType, names: string, more: { required?: true; worded?: true } = {}): Field[] =>
  names.split(" ").map((name) => ({ name, type, column: name, ...more }));

/** Every field that a lead shows, in the order in which it shows them. */
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

/** Finds a field by its name, and where it has no type of its own by what is asked of it; 400 where there is none. */
export type FindField = (name: unknown, path: string, op?: unknown, value?: unknown) => Field;
