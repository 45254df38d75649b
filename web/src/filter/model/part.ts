import type { Said } from "./filter.ts";

/** What every part of a filter has while it is edited: a name of its own, and how many times `not` stands before it. */
interface Common {
  id: string;
  nots: number;
}

/** `and` or `or` of its parts. A `bare` one of a single part is written as that part alone, and of none not at all. */
export interface Group extends Common {
  kind: "group";
  join: "and" | "or";
  bare: boolean;
  parts: readonly Part[];
}

/** Data of events have no type of their own; `as` is the one they are asked as. */
export type DataType = "text" | "number" | "boolean" | "date";

export interface Condition extends Common {
  kind: "condition";
  field: string;
  op: string;
  /** Absent where the operator takes none, or nobody has given it yet. */
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
  /** One type stands in a list all the same. */
  listed: boolean;
  where: Group;
  occurred?: Said;
  count?: Said;
  pick?: "any" | "first" | "last";
}

export interface DatasetPart extends Common {
  kind: "dataset";
  key: string;
  where: Group;
  count?: Said;
}

/** What no editor knows: kept as it came, and shown as JSON. */
export interface Raw extends Common {
  kind: "raw";
  json: unknown;
}

export type Part = Group | Condition | ViewPart | EventPart | DatasetPart | Raw;

/** What a group's conditions ask: leads, events of a lead, or rows of a dataset. */
export type Scope = { of: "leads" } | { of: "event" } | { of: "rows"; dataset: string };

let parts = 0;

/** A name that no other part has had. */
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
