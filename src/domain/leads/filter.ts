import type { Field } from "./lead-field.ts";

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

/** A filter that has been read: typed, within its limits, and free of text that SQL could not hold. */
export type Filter =
  | { kind: "and" | "or"; of: Filter[] }
  | { kind: "not"; of: Filter }
  | { kind: "condition"; field: Field; negated: boolean; test: Test };
