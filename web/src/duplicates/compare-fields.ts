import type { Field } from "../../../src/contract/fields/fields.ts";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import { FOLLOWERS, mergedBy } from "../../../src/contract/lists/merge-rules.ts";
import { leadValue } from "../records/lead.ts";
import { isEmpty, sameValue } from "../records/value.ts";

/** A row of the comparison: fields that are chosen together, under the first of them. */
export interface Compared {
  field: string;
  /** The fields that follow the first. */
  with: readonly string[];
  /** Lists and opt-outs are combined: there is nothing to choose. */
  united: boolean;
  same: boolean;
  /** The only side with a value, which is taken. */
  only: 0 | 1 | undefined;
}

const FOLLOWING = new Set<string>([...FOLLOWERS.values()].flat());
const UNITED = new Set<string>([...mergedBy("united"), ...mergedBy("either")]);
/** The earliest or latest value: the service decides. */
const DECIDED = new Set<string>([...mergedBy("earliest"), ...mergedBy("latest")]);

/** Compares two leads field by field, in the order of `fields`; leaves out fields that are empty in both. */
export function compareFields(one: Lead, other: Lead, fields: Iterable<Field>): Compared[] {
  return [...fields]
    .filter(({ name, writable }) => writable && !FOLLOWING.has(name) && !DECIDED.has(name))
    .map(({ name: field }): Compared => {
      const follow = FOLLOWERS.get(field) ?? [];
      const values = [one, other].map((lead) => leadValue(lead, field));
      const only = isEmpty(values[1]) ? 0 : isEmpty(values[0]) ? 1 : undefined;
      const same = [field, ...follow].every((each) =>
        sameValue(leadValue(one, each), leadValue(other, each)),
      );
      return { field, with: follow, united: UNITED.has(field), same, only };
    })
    .filter(({ field }) => !isEmpty(leadValue(one, field)) || !isEmpty(leadValue(other, field)));
}

/** The fields to send as preferences: those whose value is not already the survivor's. */
export function preferOf(
  lines: readonly Compared[],
  survivor: 0 | 1,
  chosen: Readonly<Record<string, 0 | 1>>,
): Record<string, "this" | "other"> {
  const told = lines.filter(({ united, same, only }) => !united && !same && only === undefined);
  return Object.fromEntries(
    told.map(({ field }) => [field, (chosen[field] ?? survivor) === survivor ? "this" : "other"]),
  );
}
