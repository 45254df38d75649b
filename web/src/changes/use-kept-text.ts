import { useCallback } from "react";
import type { KeptReason } from "../../../src/contract/lists/changes.ts";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import type { KeptRecord } from "./undo-calls.ts";
import { UNDO_WORDS } from "./undo-words.ts";

/** Up to this many kept records are named; of more only their number is told. */
const NAMED = 3;

interface Group {
  reason: KeptReason;
  isLead: boolean;
  records: KeptRecord[];
  who: Set<string>;
}

/** A name as a part of a sentence: isolated from the direction of the text around it, and of a bounded length. */
export const isolated = (name: string): string => `\u2068${name.slice(0, 60).toWellFormed()}\u2069`;

/** The records by the reason why they were kept. */
function groupsOf(kept: readonly KeptRecord[]): Group[] {
  const groups = new Map<string, Group>();
  for (const record of kept) {
    const reason = record.kept[0]?.reason ?? "changed_since";
    const isLead = record.kind === "lead";
    const key = `${reason} ${isLead}`;
    const group = groups.get(key) ?? { reason, isLead, records: [], who: new Set() };
    groups.set(key, group);
    group.records.push(record);
    for (const { by } of record.kept) if (by !== null && by.label !== "") group.who.add(by.label);
  }
  return [...groups.values()];
}

/**
 * Returns a function that tells what an undo kept: "2 leads that Bia changed since: Ana, Bruno". `kept` has the first
 * records of `count`.
 */
export function useKeptText(): (kept: readonly KeptRecord[], count: number) => string {
  const words = useWords(UNDO_WORDS);
  const { number, list } = useFormat();
  return useCallback(
    (kept, count) => {
      const groups = groupsOf(kept);
      const beyond = Math.max(0, count - kept.length);
      const parts = groups.map(({ reason, isLead, records, who }) => {
        // those beyond the first page are of the only reason that is known
        const many = records.length + (groups.length === 1 ? beyond : 0);
        const people = [...who].slice(0, NAMED).map(isolated);
        if (who.size > NAMED || (who.size === 0 && reason === "changed_since")) people.push(words.someone);
        const noun = isLead ? words.leads : words.records;
        const names = count > NAMED ? [] : records.flatMap(({ name }) => (name ? [isolated(name)] : []));
        const what = `${noun(many, number(many))} ${words.kept[reason](many, list(people), people.length)}`;
        return names.length === 0 ? what : `${what} (${list(names)})`;
      });
      if (groups.length !== 1 && beyond > 0) parts.push(words.records(beyond, number(beyond)));
      return list(parts);
    },
    [words, number, list],
  );
}
