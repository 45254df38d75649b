import { Type } from "typebox";
import { LEAD_FIELDS } from "../../../../contract/lists/lead-fields.ts";
import { OPERATORS } from "../../../../contract/lists/operators.ts";
import { shownAs } from "../../protocol/shown-schema.ts";
import type { Groups } from "./related-condition.ts";
import { anything, exactly, oneOf } from "./words.ts";

/** Fields that filters take, but that a model seldom needs; get_context lists all with detail: full. */
const SELDOM =
  /^(version|display_name|import_id|merged_into_id|phone_e164|owner_id|emails|phones|consent_basis|consent_at|custom|landing_page|website|language|utm_[a-z]+)$/;

const fieldsOf = (type: string): string =>
  LEAD_FIELDS.filter((field) => field.type === type && field.ofDeleted !== true && !SELDOM.test(field.name))
    .map(({ name }) => name)
    .join(", ");

const typesOf = Object.entries(OPERATORS).filter(([, operators]) => operators.length > 0);

/** All fields by type, so that a model need not guess names. */
const FIELDS = typesOf
  .map(([type]) => ({ type, fields: fieldsOf(type) }))
  .filter(({ fields }) => fields !== "")
  .map(({ type, fields }) => (fields === type ? type : `${type}: ${fields}`))
  .join("; ");

/** Operators of every type, which are named once. */
const EVERYWHERE: readonly string[] = OPERATORS.object;

const furtherOf = (operators: readonly string[]): string[] =>
  operators.filter((operator) => !EVERYWHERE.includes(operator));

/** The operators of texts, before those of a type that has more. */
const TEXT = new RegExp(`^${furtherOf(OPERATORS.text).join(" ")}(?= )`);

/** The further operators of each type; types with the same ones are named together. */
const BY_TYPE = [...Map.groupBy(typesOf, ([, operators]) => furtherOf(operators).join(" "))]
  .filter(([operators]) => operators !== "")
  .map(
    ([operators, types]) =>
      `${types.map(([type]) => type).join(", ")}: ${operators.replace(TEXT, "as text, and")}`,
  )
  .join("; ");

/**
 * Returns the filter schema for assistants: alternatives, each a list of conditions. It is not recursive,
 * since models fail at recursion.
 */
function filterOf(field: string, op: string, description: string) {
  const Condition = exactly({
    field: Type.String({ minLength: 1, maxLength: 150, description: field }),
    op: shownAs(oneOf([...new Set<string>(Object.values(OPERATORS).flat())], op), {
      type: "string",
      description: op,
    }),
    value: Type.Optional(
      anything(
        "Array for in, not_in, has_*, domain_in; [from, to] for between; " +
          '{"n": 30, "unit": "day"} for in_last, not_in_last, in_next, older_than; last_quarter etc. for in_period; ' +
          "none for is_empty.",
      ),
    ),
  });
  const all = Type.Array(Condition, { minItems: 1, maxItems: 50 });
  const any = Type.Array(exactly({ all }), { minItems: 1, maxItems: 20 });
  return exactly({ any }, description);
}

const LEADS = "Leads that meet all conditions of at least one group; default: all.";

/** The filter over leads, described with every field and operator. */
export const AssistantFilter = filterOf(
  `${FIELDS}; owner (a name or me); custom.<key>. ` +
    "event.<type>, such as event.call.*, event.became.won: date operators for when, number operators for how often, " +
    "is_empty for never. dataset.<key>.<column>: a linked row's value; dataset.<key>: how many rows.",
  `All: ${EVERYWHERE.join(" ")}. ${BY_TYPE}. Text ignores case and accents. not_in_last includes leads that never had it; older_than does not.`,
  LEADS,
);

/** The same, described only once in a list of tools: clients read the whole list each time. */
export const ShortFilter = shownAs(AssistantFilter, {
  type: "object",
  description: "As in find_leads; so are view and search.",
});

/** The filter over the rows of a dataset. */
export const RowFilter = shownAs(
  filterOf(
    "A column's key, as returned by get_context, or _id, _lead_id, _version, _created_at, _updated_at.",
    "An operator of the column's type, as in find_leads; integer is number, datetime is date, url is text.",
    "Which rows: those that meet all conditions of any group. Without it, every row.",
  ),
  {
    type: "object",
    description: "As in find_leads, of columns and _lead_id; so is search.",
  },
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
