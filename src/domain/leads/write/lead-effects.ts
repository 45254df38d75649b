import type { LeadPatch } from "../../fields/lead-input.ts";
import type { Version } from "../../values/version.ts";
import { MOST_TAGS } from "./write-outcome.ts";

/** What is done to leads: `fill` sets only what is empty, `separate` takes a lead out of the one that it was merged into. */
export type LeadOp = "set" | "fill" | "tag_add" | "tag_remove" | "delete" | "restore" | "separate";

/** Entries to add to lists of a lead. */
export type Added = Partial<Record<"emails" | "phones", readonly string[]>>;

/** A lead to change; with a `version`, only if that is its current one, or one of several. */
export interface LeadChange {
  place: number;
  id: string;
  version?: Version | undefined;
  patch: LeadPatch;
  added?: Added | undefined;
  /** The record that it is for, whose addresses are the person's, also those that the lead has or does not get; otherwise the patch. */
  record?: LeadPatch | undefined;
  /** Told after the changed fields, which may be none: the merge, or its undo, by which the lead is changed. */
  event?: MergeEvent;
}

export interface MergeEvent {
  type: "lead.merged" | "lead.unmerged";
  title: string;
  data: Record<string, unknown>;
}

const SET = `CASE WHEN patch ? 'custom' THEN patch || jsonb_build_object('custom',
    jsonb_strip_nulls((before).custom || (patch -> 'custom'))) ELSE patch END`;

/** What each operation sets on a lead, computed from its locked state (`before`). */
const EFFECTS: Record<Exclude<LeadOp, "set" | "fill">, string> = {
  tag_add: `jsonb_build_object('tags', (before).tags || ARRAY(
    SELECT tag FROM jsonb_array_elements_text(patch -> 'tags') WITH ORDINALITY AS given_tag (tag, n)
    WHERE tag <> ALL ((before).tags) ORDER BY n))`,
  tag_remove: `jsonb_build_object('tags', ARRAY(
    SELECT tag FROM unnest((before).tags) WITH ORDINALITY AS own_tag (tag, n)
    WHERE NOT patch -> 'tags' ? tag ORDER BY n))`,
  delete: "jsonb_build_object('deleted_at', moment())",
  restore: "jsonb_build_object('deleted_at', NULL)",
  separate: "jsonb_build_object('merged_into_id', NULL)",
};

/** The lists that get entries which they do not have yet. */
const ADDED = `(SELECT jsonb_object_agg(list, known || (
    SELECT coalesce(jsonb_agg(item ORDER BY n), '[]') FROM jsonb_array_elements(more) WITH ORDINALITY AS each (item, n) WHERE NOT known @> item))
  FROM jsonb_each(added) AS lists (list, more),
    LATERAL (SELECT coalesce(patch -> list, to_jsonb(CASE list WHEN 'emails' THEN (before).emails ELSE (before).phones END)) AS known) AS own)`;

/**
 * What is empty of what a patch sets: a number in E.164 follows the number itself, a lead that may be contacted has no opt-out, and a
 * custom field that is there is not empty.
 */
const fillSql = (columns: readonly string[]): string => `(SELECT coalesce(jsonb_object_agg(key, value), '{}')
      FROM jsonb_each(patch - 'custom'), (SELECT jsonb_build_object(${columns.map((column) => `'${column}', (before).${column}`).join(", ")}) AS own) AS present
      WHERE own -> CASE key WHEN 'phone_e164' THEN 'phone' ELSE key END IN ('null', '[]', '""') OR key = 'do_not_contact' AND own -> key = 'false')
    || CASE WHEN patch ? 'custom' THEN jsonb_build_object('custom', jsonb_strip_nulls(patch -> 'custom') || (before).custom) ELSE '{}' END`;

/** SQL for what an operation sets on a lead, as jsonb. */
export function effectSql(op: LeadOp, leads: readonly LeadChange[], columns: readonly string[]): string {
  if (op === "fill") return fillSql(columns);
  if (op !== "set") return EFFECTS[op];
  return leads.some(({ added }) => added !== undefined) ? `${SET} || coalesce(${ADDED}, '{}')` : SET;
}

/** Whether a list that gets entries has room for them. */
export function roomSql(op: LeadOp, leads: readonly LeadChange[]): string {
  if (op === "tag_add") return `cardinality((after).tags) <= ${MOST_TAGS}`;
  return leads.some(({ added }) => added !== undefined)
    ? `(added IS NULL OR greatest(cardinality((after).emails), cardinality((after).phones)) <= ${MOST_TAGS})`
    : "true";
}
