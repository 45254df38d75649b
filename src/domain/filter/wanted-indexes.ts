import { MEANING_FIELD } from "../../contract/lists/figures.ts";
import type { WantedIndex } from "../field-index/learn.ts";
import { EMAIL_DOMAIN } from "../fields/index-form.ts";
import { type Field, hasTerms, indexedAs } from "../fields/lead-field.ts";
import { isCurrency } from "../fields/sales.ts";
import { hasOwnOrder, type SortOrder } from "./sql/sort-sql.ts";
import type { Filter } from "./tree/filter.ts";

/** Standard fields whose values are found in an index of leads. */
const FOUND: ReadonlySet<string> = new Set(
  `id external_id status ${MEANING_FIELD} source score created_at`.split(" "),
);

/** Returns the indexes of fields that would have helped a query. */
export function wantedIndexes(
  filter: Filter | undefined,
  sort: readonly SortOrder[] | undefined,
): WantedIndex[] {
  const [first] = sort ?? [];
  const sorted: WantedIndex[] =
    first === undefined || hasOwnOrder(first) ? [] : [{ field: indexedAs(first.field), kind: "order" }];
  const wanted = [...sorted, ...(filter === undefined ? [] : inFilter(filter))];
  return wanted.filter(({ field }) => !isCurrency({ column: field }));
}

function inFilter(filter: Filter): WantedIndex[] {
  if (filter.kind === "and" || filter.kind === "or") return filter.of.flatMap(inFilter);
  if (filter.kind === "view") return inFilter(filter.of);
  if (filter.kind !== "condition" || filter.negated) return [];
  const { field, test } = filter;
  const name = test.kind === "empty" ? field.name : indexedAs(field.name);
  const order: WantedIndex[] =
    field.key === undefined && FOUND.has(name) ? [] : [{ field: name, kind: "order" }];
  switch (test.kind) {
    case "domain":
      return field.key === undefined ? [{ field: EMAIL_DOMAIN, kind: "order" }] : [];
    case "text":
      if (test.match !== "whole") return inParts(field, test.values[0] ?? "");
      return field.worded === true || hasTerms(field) ? [] : order;
    case "exact":
      return hasTerms(field) ? [] : order;
    case "number":
    case "numbers":
    case "moment":
    case "boolean":
    case "empty":
      return order;
    default:
      return [];
  }
}

const inParts = ({ name, worded }: Field, part: string): WantedIndex[] =>
  worded === true || part.length < 3 ? [] : [{ field: name, kind: "parts" }];
