import { type Static, Type } from "typebox";
import { closed, LocaleInput } from "../basics/basics.ts";
import { constantOf, howFar } from "../basics/constants.ts";
import { FieldName, ScalarFieldName, SortFieldName } from "../filters/field-names.ts";
import { Filter } from "../filters/filter.ts";
import { EXPORT_FORMATS } from "../lists/files.ts";

const Sort = Type.Object(
  {
    field: ScalarFieldName,
    dir: Type.Optional(constantOf(["asc", "desc"])),
    nulls: Type.Optional(constantOf(["first", "last"])),
  },
  {
    ...closed,
    $id: "Sort",
    description: "A field to sort leads by. dir defaults to asc, nulls to last.",
    examples: [{ field: "score", dir: "desc" }],
  },
);

const IncludeName = Type.Unsafe<"datasets" | `datasets.${string}` | "status_since">(
  Type.String({
    $id: "IncludeName",
    maxLength: 100,
    pattern: "^(datasets(\\.[a-z][a-z0-9_]*)?|status_since)$",
    description: "datasets, datasets.{key} or status_since.",
    examples: ["datasets.companies"],
  }),
);

/** What to return with each lead. */
export const Include = Type.Array(IncludeName, {
  maxItems: 20,
  description:
    "datasets, or datasets.{key} for one: its 20 newest rows linked to the lead, as " +
    '"datasets": {"{key}": {"rows": […], "has_more"}}, which also needs datasets:read; or status_since, when the lead ' +
    "got its status.",
});

const selection = {
  filter: Type.Optional(Filter),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "Words that must all occur in names, e-mail, phone or company; a phone number matches however it is written.",
    }),
  ),
};

const deleted = Type.Optional(
  Type.Boolean({
    description:
      "Whether to find deleted leads instead of the others: those that restore brings back, not merged ones. Then " +
      "deleted_at is a condition and a sort, too, and the default order: the last deleted first.",
  }),
);

const searchSort = Type.Optional(
  Type.Array(
    Type.Object(
      { ...Sort.properties, field: SortFieldName },
      {
        ...closed,
        $id: "SearchSort",
        description:
          "A field to sort leads by, or, alone and with search, relevance: of the 1,000 newest matches, those first whose display " +
          "name is the search, then those that start with it, then those with its words at the start of words. It has one page by cursor.",
        examples: [{ field: "relevance" }],
      },
    ),
    { maxItems: 3, description: "Default: created_at descending." },
  ),
);

const sort = Type.Optional(Type.Array(Sort, { maxItems: 3, description: "Default: created_at descending." }));

const fields = Type.Optional(
  Type.Array(FieldName, {
    maxItems: 100,
    description: "id is always included; custom.{key} returns custom.",
  }),
);

const timezone = Type.Optional(
  Type.String({
    maxLength: 64,
    description: "IANA time zone for dates without a time; defaults to the project's.",
  }),
);

const shared = { ...selection, sort: searchSort, fields, include: Type.Optional(Include), timezone };
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." }));
const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const total = howFar("How far to count: bounded, the default, up to 10,000.");

/** A query of leads by offset. */
export const LeadsQuery = Type.Object(
  { limit, offset, ...shared, total },
  {
    ...closed,
    $id: "LeadsQuery",
    description: "Which leads, in which order, and a page of them.",
    examples: [
      { filter: { field: "status", op: "eq", value: "new" }, sort: [{ field: "score", dir: "desc" }] },
    ],
  },
);
export type LeadsQuery = Static<typeof LeadsQuery>;

/** A query of leads by cursor. */
export const LeadSearch = Type.Object(
  {
    limit,
    ...shared,
    deleted,
    total: howFar("Default: none. The total is counted only on request."),
    cursor: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description: "next_cursor of the previous page; valid only for the same query.",
      }),
    ),
  },
  {
    ...closed,
    $id: "LeadSearch",
    description: "Which leads, in which order, and a page of them.",
    examples: [{ filter: { field: "score", op: "gte", value: 50 }, limit: 100 }],
  },
);
export type LeadSearch = Static<typeof LeadSearch>;

/** Which leads to count, and how far. */
export const LeadCount = Type.Object(
  {
    ...selection,
    deleted,
    timezone,
    exact: Type.Optional(
      Type.Boolean({ description: "Count all of them. By default, counting stops at 10,000." }),
    ),
  },
  {
    ...closed,
    $id: "LeadCount",
    description: "Which leads to count.",
    examples: [{ filter: { field: "created_at", op: "in_period", value: "this_month" }, exact: true }],
  },
);

/** The query of a saved view. */
export const ViewQuery = Type.Object(
  { ...selection, sort, fields, timezone },
  { ...closed, $id: "ViewQuery", description: "As for POST /api/v1/leads/search." },
);
export type ViewQuery = Static<typeof ViewQuery>;

/** The same as it is answered: views keep filters that new requests may no longer contain. */
export const SavedQuery = Type.Object(
  {
    ...ViewQuery.properties,
    filter: Type.Optional(
      Type.Unsafe<NonNullable<ViewQuery["filter"]>>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: "A Filter as it was saved; it may have fields that new requests may not have.",
          },
        ),
      ),
    ),
  },
  { ...closed, $id: "SavedQuery", description: "The query of a saved view." },
);

const names = (description: string) =>
  Type.Optional(Type.Array(FieldName, { minItems: 1, maxItems: 200, description }));

/** Which leads to export, and the format of the file. */
export const LeadsExport = Type.Object(
  {
    ...selection,
    sort,
    timezone,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "The maximum number of leads; by default, all that match.",
      }),
    ),
    offset,
    total: howFar("Ignored; accepted because the body of a query may contain it."),
    format: Type.Optional(
      constantOf(EXPORT_FORMATS, {
        description: "Default: csv.",
      }),
    ),
    columns: names(
      "Fields in this order, including custom.{key}. Default: every field but display_name; a CSV has a column per custom field.",
    ),
    fields: names("The same as columns, under the name used in queries."),
    delimiter: Type.Optional(
      constantOf([",", ";", "\t"], {
        description: "For CSV; defaults to a comma.",
      }),
    ),
    headers: Type.Optional(
      constantOf(["names", "labels"], {
        description: "For CSV: whether its header has the names of fields (the default) or their labels.",
      }),
    ),
    owners: Type.Optional(
      constantOf(["ids", "names"], {
        description:
          "For CSV: whether owner_id has ids (the default) or names; who is no member keeps the id.",
      }),
    ),
    locale: Type.Optional(LocaleInput),
    bom: Type.Optional(
      Type.Boolean({ description: "Start a CSV with a byte order mark so that Excel reads it as UTF-8." }),
    ),
  },
  {
    ...closed,
    $id: "LeadsExport",
    description: "Which leads to export, and the format of the file.",
    examples: [
      { format: "csv", columns: ["external_id", "name", "email", "custom.plan"], headers: "labels" },
    ],
  },
);
export type LeadsExport = Static<typeof LeadsExport>;

const project_id = Type.String({ description: "The key's project." });

/** A query by offset, as endpoints without a version take it. */
export const CurrentLeadsQuery = Type.Object(
  { project_id, ...LeadsQuery.properties },
  { ...closed, $id: "CurrentLeadsQuery", description: "Which leads, in which order, and a page of them." },
);

/** An export, as endpoints without a version take it. */
export const CurrentLeadsExport = Type.Object(
  { project_id, ...LeadsExport.properties },
  { ...closed, $id: "CurrentLeadsExport", description: "Which leads to export, and the format of the file." },
);
