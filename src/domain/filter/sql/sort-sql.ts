import { compared, FIELD_BY_NAME, type Field, indexedAs } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { findField } from "../../fields/project-schema.ts";
import { bad } from "../../values/bad-input.ts";
import type { PageSource } from "./page-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/** One sort key as a query gives it. */
export interface SortOrder {
  field: string;
  dir?: "asc" | "desc";
  nulls?: "first" | "last";
}

/** One sort key. */
export interface SortKey {
  sql: string;
  /** The SQL type of its values. */
  type: "text" | "float8" | "numeric" | "boolean" | "timestamptz";
  descending: boolean;
  /** Where nulls sort; undefined for a field that is never null. */
  nulls: "first" | "last" | undefined;
}

const NEWEST: readonly SortOrder[] = [{ field: "created_at", dir: "desc" }];

const LAST_DELETED: readonly SortOrder[] = [{ field: "deleted_at", dir: "desc" }];

/** Whether an index of leads has the order. */
export const hasOwnOrder = ({ field, dir = "asc", nulls = "last" }: SortOrder): boolean =>
  field === "created_at" || field === "id" || (field === "score" && dir === "desc" && nulls === "last");

/** The sort keys before the id, which breaks ties; newest first by default. So many stand `before` these. */
export function sortKeys(
  sort: readonly SortOrder[] | undefined,
  schema: ProjectSchema,
  scope: StatementScope,
  before = 0,
): SortKey[] {
  const asked = sort === undefined || sort.length === 0 ? (scope.deleted ? LAST_DELETED : NEWEST) : sort;
  const find = (name: string, path: string) => {
    const field = FIELD_BY_NAME.get(name) ?? findField(name, path, schema);
    if (field.ofDeleted !== true) return field;
    if (!scope.deleted) bad(path, "not_sortable", `${name} is allowed only with deleted`);
    return { ...field, required: true as const };
  };
  return keysOf(
    asked,
    (name, path) => compared(find(name, path), (other) => find(other, path)),
    scope,
    before,
  );
}

/** The sort keys for any kind of fields. */
export function keysOf(
  sort: readonly SortOrder[],
  find: (name: string, path: string) => Field,
  scope: StatementScope,
  before = 0,
): SortKey[] {
  return sort.map(({ field: name, dir = "asc", nulls = "last" }, i) => {
    const field = find(name, `$.sort[${before + i}].field`);
    if (field.type === "tags" || field.type === "object") {
      bad(`$.sort[${before + i}].field`, "not_sortable", `${field.name} cannot be sorted by`);
    }
    return {
      sql: keyOf(field, scope),
      type: typeOf(field),
      descending: dir === "desc",
      nulls: field.required === true ? undefined : nulls,
    };
  });
}

/** Returns an ORDER BY list. The id breaks ties, so that pages neither repeat nor miss a row. */
export const orderSql = (keys: readonly SortKey[], id = "id"): string =>
  [...keys.map(directed), id].join(", ");

/** The order of a page. */
export const sortSql = (
  sort: readonly SortOrder[] | undefined,
  schema: ProjectSchema,
  scope: StatementScope,
): string => orderSql(sortKeys(sort, schema, scope));

const directed = ({ sql, descending, nulls }: SortKey): string =>
  `${sql}${descending ? " DESC" : ""}${nulls === undefined ? "" : ` NULLS ${nulls.toUpperCase()}`}`;

/**
 * Text is sorted as it is compared: without case and accents, and the same on every server. Days of custom fields have the
 * same order in every time zone.
 */
function keyOf(field: Field, scope: StatementScope): string {
  const { type, key } = field;
  if (type === "text" || type === "email" || type === "phone")
    return `fold(${scope.text(field)}) COLLATE "C"`;
  if (type === "date" && key !== undefined) return `custom_moment(${scope.text(field)}, 'UTC')`;
  return type === "enum" || type === "id" ? `${scope.value(field)} COLLATE "C"` : scope.value(field);
}

/**
 * The order of a page by the index of its first field, if that has one in this order: what to join leads with, and the keys
 * then. The index has nulls last. `bounds` returns conditions on its values.
 */
export function orderedSource(
  sort: readonly SortOrder[] | undefined,
  schema: ProjectSchema,
  scope: StatementScope,
  bounds: (indexId: number) => readonly string[],
): { source: PageSource; keys: SortKey[]; id: number; leads: number } | undefined {
  const [first, ...more] = sort ?? [];
  const index = first && schema.indexes.get(indexedAs(first.field))?.order;
  if (first === undefined || index === undefined || index.cut || first.nulls === "first") return undefined;
  const { parameters, project } = scope;
  const own = [
    `v.project_id = ${project}`,
    `v.index_id = ${parameters.add(index.id)}::integer`,
    ...bounds(index.id),
  ];
  const ordered = `SELECT v.lead_id AS ordered_id, v.value AS ordered_value FROM ${index.table} v WHERE ${own.join(" AND ")}`;
  const key: SortKey = {
    sql: "ordered_value",
    type: TYPE_IN[index.table] ?? "text",
    descending: first.dir === "desc",
    nulls: "last",
  };
  return {
    source: {
      from: `(${ordered}) AS ordered JOIN lead ON id = ordered_id`,
      table: "lead",
      own: `project_id = ${project}`,
    },
    keys: [key, ...(more.length === 0 ? [] : sortKeys(more, schema, scope, 1))],
    id: index.id,
    leads: index.leads,
  };
}

/** The types of values in the tables of orders. */
const TYPE_IN: Readonly<Record<string, SortKey["type"]>> = {
  lead_order_number: "float8",
  lead_order_moment: "timestamptz",
  lead_order_text: "text",
};

function typeOf(field: Field): SortKey["type"] {
  if (field.type === "number") return field.key === undefined ? "float8" : "numeric";
  if (field.type === "date") return "timestamptz";
  return field.type === "boolean" && field.key === undefined ? "boolean" : "text";
}
