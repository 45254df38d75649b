import type { ChangeRecord } from "../../../../contract/changes/change.ts";
import { getChange } from "../../../../domain/history/read/get-change.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import type { Call } from "../../protocol/registry.ts";
import { outside } from "./outside-text.ts";
import { withOwnerNames } from "./owners.ts";

/** Returns what a change did to a record, without what it did not do. */
export function recordOf({ kind, id, name, outcome, changes, events, kept }: ChangeRecord): object {
  return {
    ...(kind === "lead" ? {} : { kind }),
    id,
    ...(name === null ? {} : { name }),
    outcome,
    ...(changes.length > 0 ? { changes: changes.map(({ field, from, to }) => ({ field, from, to })) } : {}),
    ...(events > 0 ? { events } : {}),
    ...(kept.length > 0 ? { kept: kept.map(({ field, reason }) => ({ field, reason })) } : {}),
  };
}

/** More records are not shown: list_changes has them. */
const MOST = 10;

/**
 * Returns the answer with what the call's change did to each record, with former and new values, if these are a few: nothing
 * has to be read again then. The change is made, whatever becomes of reading it.
 */
export async function withRecords(call: Call, answer: object): Promise<object> {
  const { service, caller } = call;
  const made = service.origin?.changes?.findLast((change) => change.made);
  if (made === undefined) return answer;
  const page = await perform(service, getChange, caller, { id: made.id, limit: MOST }).catch(() => undefined);
  if (page === undefined || page.nextCursor !== null) return answer;
  const records = (JSON.parse(page.records) as ChangeRecord[]).map(
    (record) => outside(recordOf(record)) as object,
  );
  const named = await withOwnerNames(call, records).catch(() => records);
  const { untrusted_content: untrusted = [], ...members } = answer as { untrusted_content?: string[] };
  return { ...members, records: named, untrusted_content: [...untrusted, "records"] };
}
