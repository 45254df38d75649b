import { Type } from "typebox";
import { LocaleInput } from "../nouns/basics/basics.ts";
import { FieldList } from "../nouns/field.ts";
import { FilterToValidate, FilterValidation } from "../nouns/filter-validation.ts";
import { endpoint, json } from "./shared/endpoint.ts";

const usual = { tag: "filters", refusals: "v1" } as const;

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
