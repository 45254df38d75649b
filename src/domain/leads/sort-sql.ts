import { bad } from "./bad-input.ts";
import { findField } from "./find-field.ts";
import type { Field } from "./lead-field.ts";
import type { LeadsQuery } from "./leads-query.ts";
import type { ProjectFacts } from "./project-facts.ts";
import type { StatementScope } from "./statement-scope.ts";

/** The order of a page; id decides between equals, so that pages neither repeat nor miss a lead. */
export function sortSql(sort: LeadsQuery["sort"], facts: ProjectFacts, scope: StatementScope): string {
  if (sort === undefined || sort.length === 0) return "created_at DESC, id";
  const keys = sort.map(({ field: name, dir = "asc", nulls = "last" }, i) => {
    const field = findField(name, `$.sort[${i}].field`, facts);
    if (field.type === "tags" || field.type === "object") {
      bad(`$.sort[${i}].field`, "not_sortable", `${field.name} has no order`);
    }
    const direction = dir === "desc" ? " DESC" : "";
    return `${keyOf(field, scope)}${direction}${field.required === true ? "" : ` NULLS ${nulls.toUpperCase()}`}`;
  });
  return [...keys, "id"].join(", ");
}

/** Texts are ordered as they are compared, without case and accents, and alike on every server. */
function keyOf(field: Field, scope: StatementScope): string {
  const texts = field.type === "text" || field.type === "email" || field.type === "phone";
  return texts ? `fold(${scope.text(field)}) COLLATE "C"` : scope.value(field);
}
