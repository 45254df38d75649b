import { LEAD_FIELDS, type LeadField, type LeadFieldName } from "./lead-fields.ts";
import { WRITABLE } from "./written-fields.ts";

/** Returns the fields that are merged by this rule. */
export const mergedBy = (rule: LeadField["merge"] & string): LeadFieldName[] =>
  LEAD_FIELDS.filter(({ merge }) => merge === rule).map(({ name }) => name);

/** Fields that belong together in a merge: by a field, those that follow it. */
export const FOLLOWERS: ReadonlyMap<string, readonly LeadFieldName[]> = new Map(
  LEAD_FIELDS.map(({ name }): [string, LeadFieldName[]] => [name, followersOf(name)]).filter(
    ([, followers]) => followers.length > 0,
  ),
);

function followersOf(first: LeadFieldName): LeadFieldName[] {
  const follows = ({ merge }: LeadField) => typeof merge === "object" && merge.follows === first;
  return LEAD_FIELDS.filter(follows).map(({ name }) => name);
}

const RULED: ReadonlySet<string> = new Set(
  LEAD_FIELDS.flatMap(({ name, merge }) => (merge === undefined ? [] : [name])),
);

/** The fields of which a merge takes one of the two values, those with followers first. */
export const CHOSEN: readonly string[] = [
  ...FOLLOWERS.keys(),
  ...[...WRITABLE.keys()].filter((name) => !RULED.has(name) && !FOLLOWERS.has(name)),
];
