import { Type } from "typebox";
import { LEAD_FIELDS } from "../../../../contract/lists/lead-fields.ts";
import { OPERATORS } from "../../../../contract/lists/operators.ts";
import type { Groups } from "./related-condition.ts";
import { anything, exactly, oneOf } from "./words.ts";

const fieldsOf = (type: string): string =>
  LEAD_FIELDS.filter((field) => field.type === type && field.ofDeleted !== true)
    .map(({ name }) => name)
    .join(", ");

const typesOf = Object.entries(OPERATORS).filter(([, operators]) => operators.length > 0);

/** All fields by type, so that a model need not guess names. */
const FIELDS = typesOf.map(([type]) => `${type}: ${fieldsOf(type)}`).join("; ");

const BY_TYPE = typesOf.map(([type, operators]) => `${type}: ${operators.join(" ")}`).join("; ");

/**
 * Returns the filter schema for assistants: alternatives, each a list of conditions. It is not recursive,
 * since models fail at recursion.
 */
function filterOf(field: string, op: string, description: string) {
  const Condition = exactly({
    field: Type.String({ minLength: 1, maxLength: 150, description: field }),
    op: oneOf([...new Set<string>(Object.values(OPERATORS).flat())], op),
    value: Type.Optional(
      anything(
        "What to compare with: a string, number or boolean; an array for in, not_in, has_* and domain_in; [from, to] for " +
          'between; {"n": 30, "unit": "day"} for in_last, not_in_last, in_next and older_than; today, this_week, ' +
          "last_month etc. for in_period; nothing for is_empty and is_not_empty.",
      ),
    ),
  });
  const all = Type.Array(Condition, {
    minItems: 1,
    maxItems: 50,
    description: "All of these conditions are met.",
  });
  const any = Type.Array(exactly({ all }), {
    minItems: 1,
    maxItems: 20,
    description: "At least one of these groups matches.",
  });
  return exactly({ any }, description);
}

const LEADS = "Which leads: those that meet all conditions of any group. Without it, every lead.";

/** The filter over leads, described with every field and operator. */
export const AssistantFilter = filterOf(
  `${FIELDS}. A custom field is custom.<key>. ` +
    "event.<type> (event.email.opened; event.email.* for all email events) is the timeline: a date operator finds such " +
    "an event then (not_in_last: none), a number operator how often it happened, is_empty never. " +
    "dataset.<key>.<column> tests the linked rows; dataset.<key> how many are linked, or is_empty.",
  `By the field's type: ${BY_TYPE}. Text comparison ignores case and accents. ` +
    "older_than excludes empty values, not_in_last includes them.",
  LEADS,
);

/**
 * The same without the descriptions, for tools other than query_leads: clients read the whole list of tools
 * each time.
 */
export const ShortFilter = filterOf(
  "A field, such as status, custom.<key>, event.<type> or dataset.<key>; see query_leads and get_context.",
  "An operator of the field's type, as listed in query_leads.",
  LEADS,
);

/** The filter over the rows of a dataset. */
export const RowFilter = filterOf(
  "A column's key, as returned by list_datasets, or _id, _lead_id, _version, _created_at, _updated_at.",
  "An operator of the column's type, as listed in query_leads; integer is number, datetime is date, url is text.",
  "Which rows: those that meet all conditions of any group. Without it, every row.",
);

/**
 * Returns groups as a filter of the service. A single group needs no `or`, so that its query plan is cached.
 */
export function toFilter({ any }: Groups<object>): object {
  const [only, ...others] = any;
  return only !== undefined && others.length === 0
    ? { and: only.all }
    : { or: any.map(({ all }) => ({ and: all })) };
}

/** Returns a filter that requires both the groups and a saved view. */
export function withView(groups: Groups<object> | undefined, view: string): object {
  if (groups === undefined) return { view };
  return { and: [{ or: groups.any.map(({ all }) => ({ and: all })) }, { and: [{ view }] }] };
}

/** Returns a path into the service's filter as a path into the assistant's. */
export function assistantPath(path: string): string {
  return path
    .replace(/(?<=\.and\[\d+\])\.(event\.type|dataset\.key)$/, ".field")
    .replace(/(?<=\.and\[\d+\])\.(event|dataset)(\.(occurred|count|where))?/, "")
    .replace(/^\$\.filter(\.and\[1\]\.and(\[0\])?.*|\.view.*)$/, "$.view")
    .replace(/^\$\.filter\.and\[0\](?=\.or)/, "$.filter")
    .replace(/^\$\.filter\.and(?=\[\d+\])/, "$.filter.any[0].all")
    .replace(/^(\$\.filter)\.or(\[\d+\])/, "$1.any$2")
    .replace(/^(\$\.filter\.any\[\d+\])\.and/, "$1.all");
}
