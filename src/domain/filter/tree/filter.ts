import type { EventPick } from "../../../contract/lists/operators.ts";
import type { Interval, Unit } from "../../../contract/lists/time.ts";
import type { Field } from "../../fields/lead-field.ts";
import type { Link } from "../../fields/link.ts";

/** A point in time that the database computes: an instant, the start of a day, or one relative to now. */
export type Point =
  | { kind: "instant"; iso: string }
  | { kind: "day"; day: string; plus: 0 | 1 }
  | { kind: "now"; n: number; unit: Unit }
  | { kind: "period"; unit: Interval; shift: number };

/** One edge of a range. */
export interface Edge<T> {
  at: T;
  inclusive: boolean;
}

export interface Range<T> {
  from?: Edge<T>;
  until?: Edge<T>;
}

/** The test of a field's value; all but `empty` are false for an empty value. */
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

/** How many matches a condition requires; without `most` there is no upper limit. */
export interface Count {
  least: number;
  most?: number;
  negated: boolean;
}

/** A condition on a lead's timeline. `pick` tests only the earliest or latest event of the type. */
export interface EventCondition {
  kind: "event";
  /** The JSON path, which is its key in estimates. */
  path: string;
  /** `email.opened`, or `email.*` for a prefix; empty for events of any type. */
  types: readonly string[];
  /** Set if the caller asked for changes of what the status means, which are other types and more conditions here. */
  became?: { type: string; where?: Filter };
  where?: Filter;
  /** If negated, the whole condition is: no such event in that range. */
  occurred?: { negated: boolean; range: Range<Point>; said: Said };
  count: Count & { said: Said };
  pick: EventPick;
  /** Set if each lead's timeline is to be searched, whatever the planner expects. */
  eachLead?: boolean;
}

/** A condition on the rows of a dataset that link to the lead. */
export interface DatasetCondition {
  kind: "dataset";
  name: string;
  id: string;
  link: Link;
  /** Whether to include rows linked to merged leads. */
  merged: boolean;
  where?: Filter;
  count: Count & { said: Said };
  /** Set if the rows of each lead are to be searched, whatever the planner expects. */
  eachLead?: boolean;
}

/** A filter after reading: typed, within its limits, and free of text that SQL cannot hold. */
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
      /** Set if the statement reads from an index that already applied this condition, except for edge cases. */
      found?: boolean;
    }
  | EventCondition
  | DatasetCondition;
