import { type Static, Type } from "typebox";
import { LocaleInput, orNull } from "./basics/basics.ts";
import { Fault } from "./basics/problem.ts";
import { Filter } from "./filter.ts";

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
export const FilterValidation = Type.Object(
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
export type FilterValidation = Static<typeof FilterValidation>;
