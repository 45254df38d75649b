import type { EventPick } from "../../../../src/contract/lists/operators.ts";
import type { Said } from "./filter.ts";

/** What every part of a filter has while it is edited: an id, and how many `not`s precede it. */
interface Common {
  id: string;
  nots: number;
}

/** `and` or `or` of its parts. A `bare` group with one part is written as that part alone; with no part, not at all. */
export interface Group extends Common {
  kind: "group";
  join: "and" | "or";
  bare: boolean;
  parts: readonly Part[];
}

/** Data of events have no type of their own; `as` is the type they are compared as. */
export type DataType = "text" | "number" | "boolean" | "date";

export interface Condition extends Common {
  kind: "condition";
  field: string;
  op: string;
  /** Absent if the operator takes none, or none was entered yet. */
  value?: unknown;
  as?: DataType;
}

export interface ViewPart extends Common {
  kind: "view";
  view: string;
}

export interface EventPart extends Common {
  kind: "event";
  types: readonly string[];
  /** Whether a single type was written as a list. */
  listed: boolean;
  where: Group;
  occurred?: Said;
  count?: Said;
  pick?: EventPick;
}

export interface DatasetPart extends Common {
  kind: "dataset";
  key: string;
  where: Group;
  count?: Said;
}

/** A part without an editor: kept unchanged, and shown as JSON. */
export interface Raw extends Common {
  kind: "raw";
  json: unknown;
}

export type Part = Group | Condition | ViewPart | EventPart | DatasetPart | Raw;

/** What the conditions of a group are about: leads, events of a lead, or rows of a dataset. */
export type Scope = { of: "leads" } | { of: "event" } | { of: "rows"; dataset: string };

let parts = 0;

/** Returns a new, unique id for a part. */
export function freshId(): string {
  parts += 1;
  return `part-${parts}`;
}

const common = () => ({ id: freshId(), nots: 0 });

export const bareGroup = (inside: readonly Part[] = []): Group => ({
  ...common(),
  kind: "group",
  join: "and",
  bare: true,
  parts: inside,
});

export const newCondition = (): Condition => ({ ...common(), kind: "condition", field: "", op: "" });

export const newGroup = (): Group => ({ ...bareGroup([newCondition()]), join: "or", bare: false });

export const newView = (): ViewPart => ({ ...common(), kind: "view", view: "" });

export const newEvent = (): EventPart => ({
  ...common(),
  kind: "event",
  types: [],
  listed: false,
  where: bareGroup(),
});

export const newDataset = (): DatasetPart => ({
  ...common(),
  kind: "dataset",
  key: "",
  where: bareGroup(),
});
