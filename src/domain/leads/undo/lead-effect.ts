import type { Actor } from "../../../contract/basics/actor.ts";

/** A field's value before and after a change. */
export interface Step {
  from: unknown;
  to: unknown;
}

/** What a change did to a lead, composed of its events and items. */
export interface LeadEffect {
  id: string;
  created: boolean;
  deleted: boolean;
  restored: boolean;
  /** By field, such as `custom.plan`; fields that ended as they began are left out. */
  fields: ReadonlyMap<string, Step>;
  /** The ids of events that it recorded on the timeline. */
  recorded: readonly string[];
  /** The version that the lead had after it; only of changes from before changes were kept. */
  version: number | null;
  /** Whether the change itself withdrew events, which come back with it. */
  withdrew: boolean;
  /** Whether the lead has been merged since: its events are another lead's now. */
  moved: boolean;
}

/** Who did something, and by which change. */
export interface Writer {
  by: Actor;
  change_id: string | null;
  at: string;
}

/** A later change of a field that still stands: it is not an undo, and was not undone. */
export interface LaterStep extends Writer, Step {
  field: string;
}

/** What others did to a lead since. */
export interface Since {
  /** After the change last touched the lead. */
  steps: readonly LaterStep[];
  /** The latest of all since the change began. */
  step: LaterStep | undefined;
  /** The latest event that others recorded on its timeline. */
  event: Writer | undefined;
}

/** A lead as it is now. */
export interface LeadNow {
  id: string;
  deleted: boolean;
  merged: boolean;
  version: number;
  values: Readonly<Record<string, unknown>> & { custom: Readonly<Record<string, unknown>> };
}

/** The value of a field, such as `custom.plan`. */
export const readField = ({ values }: LeadNow, field: string): unknown =>
  (field.startsWith("custom.") ? values.custom[field.slice(7)] : values[field]) ?? null;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Whether two stored values are equal; timestamps may be written in two ways. */
export function sameStored(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string")
    return a === b || (TIMESTAMP.test(a) && TIMESTAMP.test(b) && Date.parse(a) === Date.parse(b));
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
