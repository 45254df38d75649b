import type { Field } from "../../fields/lead-field.ts";
import type { Link } from "../../fields/link.ts";

/** A point in time that the database works out: an instant, a day's beginning, or one relative to now. */
export type Point =
  | { kind: "instant"; iso: string }
  | { kind: "day"; day: string; plus: 0 | 1 }
  | { kind: "now"; n: number; unit: Unit }
  | { kind: "period"; unit: PeriodUnit; shift: number };

export type Unit = "minute" | "hour" | "day" | "week" | "month" | "year";
export type PeriodUnit = "day" | "week" | "month" | "quarter" | "year";

/** One end of a range. */
export interface Edge<T> {
  at: T;
  inclusive: boolean;
}

export interface Range<T> {
  from?: Edge<T>;
  until?: Edge<T>;
}

/** What a condition asks of a field's value; every one of them is false for an empty value, but `empty`. */
export type Test =
  | { kind: "empty" }
  | { kind: "text"; match: "whole" | "part" | "start" | "end"; values: string[] }
  | { kind: "exact"; values: string[] }
  | { kind: "email"; values: string[] }
  | { kind: "domain"; values: string[] }
  | { kind: "phone"; values: string[] }
  | { kind: "tags"; all: boolean; values: string[] }
  | { kind: "boolean"; value: boolean }
  | { kind: "numbers"; values: number[] }
  | { kind: "number"; range: Range<number> }
  | { kind: "moment"; range: Range<Point> };

/** A condition as its author wrote it, for sentences. */
export interface Said {
  op: string;
  value: unknown;
}

/** How many events are asked for; `most` is absent where more are as good. */
export interface Count {
  least: number;
  most?: number;
  negated: boolean;
}

/** What is asked of a lead's timeline. `pick` looks at the earliest or latest event of the type alone. */
export interface EventCondition {
  kind: "event";
  /** Its JSON path, which names it in estimates. */
  path: string;
  /** `email.opened`, or `email.*` for all that begin so; none for events of any type. */
  types: readonly string[];
  where?: Filter;
  /** Where it is negated, the whole condition is: no such event in that time. */
  occurred?: { negated: boolean; range: Range<Point>; said: Said };
  count: Count & { said: Said };
  pick: "any" | "first" | "last";
}

/** What is asked of the rows of a dataset that mean the lead. */
export interface DatasetCondition {
  kind: "dataset";
  name: string;
  id: string;
  link: Link;
  /** Whether rows of merged leads have to be looked for. */
  merged: boolean;
  where?: Filter;
  count: Count & { said: Said };
}

/** A filter that has been read: typed, within its limits, and free of text that SQL could not hold. */
export type Filter =
  | { kind: "and" | "or"; of: Filter[] }
  | { kind: "not"; of: Filter }
  | { kind: "view"; name: string; of: Filter }
  | { kind: "words"; words: string[] }
  | {
      kind: "condition";
      field: Field;
      negated: boolean;
      test: Test;
      said: Said;
      /** The statement reads from an index that has found what meets it, but for a few. */
      found?: boolean;
    }
  | EventCondition
  | DatasetCondition;
