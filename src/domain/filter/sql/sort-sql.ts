import { FIELD_BY_NAME, type Field } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { findField } from "../../fields/project-schema.ts";
import { bad } from "../../values/bad-input.ts";
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

/** The sort keys before the id, which breaks ties; newest first by default. */
export function sortKeys(
  sort: readonly SortOrder[] | undefined,
  schema: ProjectSchema,
  scope: StatementScope,
): SortKey[] {
  const asked = sort === undefined || sort.length === 0 ? NEWEST : sort;
  return keysOf(asked, (name, path) => FIELD_BY_NAME.get(name) ?? findField(name, path, schema), scope);
}

/** The sort keys for any kind of fields. */
export function keysOf(
  sort: readonly SortOrder[],
  find: (name: string, path: string) => Field,
  scope: StatementScope,
): SortKey[] {
  return sort.map(({ field: name, dir = "asc", nulls = "last" }, i) => {
    const field = find(name, `$.sort[${i}].field`);
    if (field.type === "tags" || field.type === "object") {
      bad(`$.sort[${i}].field`, "not_sortable", `${field.name} cannot be sorted by`);
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

/** Text is sorted as it is compared: without case and accents, and the same on every server. */
function keyOf(field: Field, scope: StatementScope): string {
  const texts = field.type === "text" || field.type === "email" || field.type === "phone";
  return texts ? `fold(${scope.text(field)}) COLLATE "C"` : scope.value(field);
}

function typeOf(field: Field): SortKey["type"] {
  if (field.type === "number") return field.key === undefined ? "float8" : "numeric";
  if (field.type === "date") return "timestamptz";
  return field.type === "boolean" && field.key === undefined ? "boolean" : "text";
}
