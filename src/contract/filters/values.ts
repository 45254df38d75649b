import { type Static, type TSchema, Type } from "typebox";
import { oneOf } from "../basics/constants.ts";
import { PERIODS, UNITS } from "../lists/time.ts";

/** The most values in a list. */
const MOST = 1_000;

const DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const TIME = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?";
const OFFSET = "(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])";

/** A text to compare with. */
export const Text = Type.String({ maxLength: 1_000 });

export const Texts = Type.Array(Text, { maxItems: MOST });

export const Numbers = Type.Array(Type.Number(), { maxItems: MOST });

/** Two values, from and to. */
export const pairOf = <Item extends TSchema>(item: Item) =>
  Type.Unsafe<[Static<Item>, Static<Item>]>(
    Type.Array(item, { minItems: 2, maxItems: 2, description: "From and to, both included." }),
  );

export const DateOrTimestamp = Type.String({
  $id: "DateOrTimestamp",
  pattern: `^${DAY}(T${TIME}${OFFSET})?$`,
  description:
    "A date, which means the whole day in the time zone of the request or else of the project; or a timestamp with " +
    "its offset.",
  examples: ["2026-03-31", "2026-03-31T14:30:00+00:00"],
});

export const Duration = Type.Object(
  {
    n: Type.Integer({ minimum: 1, maximum: 52_560_000, description: "At most 100 years in the unit." }),
    unit: oneOf(UNITS),
  },
  {
    $id: "Duration",
    additionalProperties: false,
    description: "A length of time, counted from now.",
    examples: [{ n: 30, unit: "day" }],
  },
);

export const Period = oneOf(PERIODS, {
  $id: "Period",
  description:
    "A calendar period in the time zone of the request or else of the project; weeks start on Monday.",
  examples: ["last_month"],
});
