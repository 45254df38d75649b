import { Type } from "typebox";
import { LocaleInput, orNull } from "../basics/basics.ts";
import { endpoint, json, type Tag } from "../basics/endpoint.ts";
import { Fault } from "../basics/problem.ts";
import { FieldList } from "../fields/fields.ts";
import { Filter } from "./filter.ts";

const tag: Tag = { name: "filters", description: "The fields of leads, and what a filter means." };

export const FilterToValidate = Type.Object(
  {
    filter: Filter,
    timezone: Type.Optional(
      Type.String({ maxLength: 64, description: "IANA time zone for dates without a time." }),
    ),
    locale: Type.Optional(LocaleInput),
  },
  { additionalProperties: false, $id: "FilterToValidate", description: "A filter whose meaning to return." },
);

/** What a filter means and how many leads it finds, or all of its errors. */
const FilterValidation = Type.Object(
  {
    valid: Type.Boolean(),
    errors: Type.Array(Fault, { description: "Empty if the filter is valid." }),
    warnings: Type.Array(Fault, {
      description:
        "What is doubtful about a valid filter, such as an event type of which the project has no event.",
    }),
    sentence: orNull(Type.String(), {
      description: "The filter as a sentence; null if it is invalid.",
    }),
    estimated_count: orNull(Type.Integer(), {
      description:
        "Exact up to 10,000 leads; estimated beyond that, or if counting takes over a second. Null if it is invalid.",
    }),
    slow: Type.Boolean({
      description:
        "Whether reads with this filter are expected to take long. They then run in the slow lane, one at a time in a project.",
    }),
  },
  {
    $id: "FilterValidation",
    description: "What a filter means and how many leads it finds, or all of its errors.",
    examples: [
      {
        valid: true,
        errors: [],
        warnings: [],
        sentence: "Status is new or contacted",
        estimated_count: 1_204,
        slow: false,
      },
      {
        valid: false,
        errors: [
          {
            path: "$.filter.field",
            code: "unknown_field",
            message: '"colour" is not a field of this project\'s leads',
          },
        ],
        warnings: [],
        sentence: null,
        estimated_count: null,
        slow: false,
      },
    ],
  },
);

const usual = { tag, refusals: "v1" } as const;

export const listLeadFields = endpoint({
  ...usual,
  id: "leads.fields",
  method: "GET",
  url: "/api/v1/leads/fields",
  summary: "List the fields of leads",
  description: "Standard and custom fields with their types, operators and options, for building filters.",
  needs: "leads:read",
  query: Type.Object({ locale: Type.Optional(LocaleInput) }),
  answers: { 200: json(FieldList, "The fields, in the order in which leads show them.") },
});

export const validateFilter = endpoint({
  ...usual,
  id: "filters.validate",
  method: "POST",
  url: "/api/v1/leads/filters/validate",
  summary: "Check a filter",
  description:
    "Returns the filter as a sentence with an estimated count, or all of its errors. " +
    "An invalid filter is 200 with valid false.",
  needs: "leads:read",
  body: FilterToValidate,
  examples: {
    filter: {
      filter: {
        and: [
          { field: "status", op: "in", value: ["new", "contacted"] },
          { field: "created_at", op: "in_last", value: { n: 30, unit: "day" } },
        ],
      },
      locale: "en",
    },
  },
  answers: {
    200: json(FilterValidation, "What the filter means, or all of its errors.", ["X-Leadgate-Warning"]),
  },
});
