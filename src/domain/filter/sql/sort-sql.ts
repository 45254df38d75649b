import { FIELD_BY_NAME, type Field } from "../../fields/lead-field.ts";
import type { ProjectSchema } from "../../fields/project-schema.ts";
import { findField } from "../../fields/project-schema.ts";
import { bad } from "../../values/bad-input.ts";
import type { StatementScope } from "./statement-scope.ts";

/** One key of an order as a query asks for it. */
export interface SortOrder {
  field: string;
  dir?: "asc" | "desc";
  nulls?: "first" | "last";
}

/** One key of an order. */
export interface SortKey {
  sql: string;
  /** The SQL type of its values. */
  type: "text" | "float8" | "numeric" | "boolean" | "timestamptz";
  descending: boolean;
  /** Where empty values stand; undefined for a field that always has one. */
  nulls: "first" | "last" | undefined;
}

const NEWEST: readonly SortOrder[] = [{ field: "created_at", dir: "desc" }];

/** The keys of an order before the id, which decides between equals; newest first where none is asked for. */
export function sortKeys(
  sort: readonly SortOrder[] | undefined,
  schema: ProjectSchema,
  scope: StatementScope,
): SortKey[] {
  const asked = sort === undefined || sort.length === 0 ? NEWEST : sort;
  return keysOf(asked, (name, path) => FIELD_BY_NAME.get(name) ?? findField(name, path, schema), scope);
}

/** The keys of an order by fields of any kind. */
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

/** An order as SQL; id decides between equals, so that pages neither repeat nor miss a lead. */
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

/** Texts are ordered as they are compared, without case and accents, and alike on every server. */
function keyOf(field: Field, scope: StatementScope): string {
  const texts = field.type === "text" || field.type === "email" || field.type === "phone";
  return texts ? `fold(${scope.text(field)}) COLLATE "C"` : scope.value(field);
}

function typeOf(field: Field): SortKey["type"] {
  if (field.type === "number") return field.key === undefined ? "float8" : "numeric";
  if (field.type === "date") return "timestamptz";
  return field.type === "boolean" && field.key === undefined ? "boolean" : "text";
}
